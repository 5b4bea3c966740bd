import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import type { TaskDiffResponse } from '../../../../contract/responses.ts';
import { useAnswer } from '../../useData.ts';
import { Button, CopyButton, Toggle } from '../../ui/controls.tsx';
import { Empty, Loaded, Notice } from '../../ui/states.tsx';

/** Shows what a task changed: text by text, and as a git diff. */
export function Diffs({ taskId }: { taskId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="card" aria-label="Changes">
      <div class="card-head">
        <h2>Changes</h2>
        <Button little onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide the changes' : 'Show the changes'}
        </Button>
      </div>
      {isOpen && <LoadedDiff taskId={taskId} />}
    </section>
  );
}

function LoadedDiff({ taskId }: { taskId: string }) {
  const diff = useAnswer<TaskDiffResponse>(hostPath`/agent/tasks/${taskId}/diff`);
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
            {shownAs === 'texts' &&
              pages.map((page) => <TextChanges key={page.slug} page={page} />)}
          </>
        )
      }
    </Loaded>
  );
}

const TextChanges = ({ page: { slug, texts } }: { page: TaskDiffResponse['pages'][number] }) => (
  <section aria-label={`Texts of ${slug}`}>
    <div class="change strong">{slug}</div>
    {texts.map(({ role, section, before, after }, index) => (
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
    <pre class="patch" tabIndex={0} aria-label="Changes of the files">
      {patch.split('\n').map((line, index) => (
        <span key={index} class={patchLineKind(line)}>
          {line || ' '}
        </span>
      ))}
    </pre>
  );
