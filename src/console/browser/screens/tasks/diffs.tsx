import { hostPath } from '../../../../browser/hostPath.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TaskDiffResponse } from '../../../../contract/responses.ts';
import { useAnswer } from '../../useData.ts';
import { Button, CopyButton, Toggle } from '../../ui/controls.tsx';
import { Empty, Loaded, Notice } from '../../ui/states.tsx';

interface DiffsProps {
  taskId: string;
  /** Counts what changed the task on this screen, so that its changes are read again. */
  round: number;
  /** Whether the changes are shown without a click. */
  isOpenAtFirst: boolean;
}

/** Shows what a task changed: text by text, and as a git diff. */
export function Diffs({ taskId, round, isOpenAtFirst }: DiffsProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <section class="card" aria-label="Changes">
      <div class="card-head">
        <h2>Changes</h2>
        <Button little onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide the changes' : 'Show the changes'}
        </Button>
      </div>
      {isOpen && <LoadedDiff taskId={taskId} round={round} />}
    </section>
  );
}

function LoadedDiff({ taskId, round }: Pick<DiffsProps, 'taskId' | 'round'>) {
  const diff = useAnswer<TaskDiffResponse>(hostPath`/agent/tasks/${taskId}/diff`);
  useEffect(() => {
    if (round > 0) diff.reload();
  }, [round]);
  const [shownAs, setShownAs] = useState<'texts' | 'patch'>('texts');
  return (
    <Loaded of={diff}>
      {({ pages, patch, warnings = [] }) =>
        pages.length === 0 && !patch ? (
          <Empty icon="check" title="Nothing changed" />
        ) : (
          <>
            <div class="card-body stack">
              <div class="row spread">
                <Toggle
                  label="Changes as"
                  value={shownAs}
                  onChange={setShownAs}
                  choices={[
                    ['texts', 'Texts'],
                    ['patch', 'Files'],
                  ]}
                />
                {shownAs === 'patch' && patch && (
                  <CopyButton text={patch}>Copy the patch</CopyButton>
                )}
              </div>
              {warnings.map((warning) => (
                <Notice key={warning} kind="warn">
                  {warning}
                </Notice>
              ))}
              {shownAs === 'patch' && <Patch patch={patch} />}
            </div>
            {shownAs === 'texts' && (
              <div class="changes" role="region" tabIndex={0} aria-label="Changed texts">
                {pages.map((page) => (
                  <TextChanges key={page.slug} page={page} />
                ))}
              </div>
            )}
          </>
        )
      }
    </Loaded>
  );
}

const TextChanges = ({ page }: { page: TaskDiffResponse['pages'][number] }) => (
  <section aria-label={`Texts of ${page.slug}`}>
    <div class="change-of">
      <span class="strong">{page.slug}</span>
      {page.template !== undefined && (
        <span class="muted"> compared with its template {page.template}</span>
      )}
    </div>
    {page.texts.map(({ role, section, before, after }, index) => (
      <div class="change" key={index}>
        <span class="muted small">
          {role}
          {section && ` · ${section}`}
        </span>
        {before === null ? <span class="muted">—</span> : <del>{before}</del>}
        {after === null ? <span class="muted">—</span> : <ins>{after}</ins>}
      </div>
    ))}
  </section>
);

const patchLineKind = (line: string) =>
  line.startsWith('+') ? 'plus' : line.startsWith('-') ? 'minus' : 'plain';

const Patch = ({ patch }: { patch: string | null }) =>
  patch === null ? (
    <Notice>The files are too large to show their changes here.</Notice>
  ) : (
    <PatchLines lines={patch.split('\n')} />
  );

/** The lines of a patch in a box, which is scrolled to the first line that changed. */
function PatchLines({ lines }: { lines: string[] }) {
  const boxRef = useRef<HTMLPreElement>(null);
  const firstHunk = lines.findIndex((line) => line.startsWith('@@'));
  const firstChange = lines.findIndex(
    (line, index) => index > firstHunk && patchLineKind(line) !== 'plain',
  );
  useEffect(() => {
    const box = boxRef.current;
    const line = box?.children.item(firstChange);
    if (!box || !line) return;
    // unlike scrollIntoView, this never moves the window
    box.scrollTop += line.getBoundingClientRect().top - box.getBoundingClientRect().top;
  }, [firstChange]);
  return (
    <pre class="patch" tabIndex={0} aria-label="Changes of the files" ref={boxRef}>
      {lines.map((line, index) => (
        <span key={index} class={patchLineKind(line)}>
          {line || ' '}
        </span>
      ))}
    </pre>
  );
}
