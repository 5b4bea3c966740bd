import { useEffect } from 'preact/hooks';
import { pageNames } from '../../../../browser/counts.ts';
import type { HostPath } from '../../../../browser/hostPath.ts';
import type { VersionList, VersionResponse } from '../../../../contract/responses.ts';
import { post } from '../../client/api.ts';
import { listen } from '../../listen.ts';
import { forgetData, useAnswer } from '../../useData.ts';
import { Button } from '../../ui/controls.tsx';
import { ListTable, TimeCell } from '../../ui/table.tsx';
import { toast } from '../../ui/toasts.tsx';
import { trackPageChange } from '../reviews/pageChanges.ts';
import { creatorName } from '../../words/taskWords.ts';

interface VersionsProps {
  /** The addresses of the API that list the versions of a task, and undo the current one. */
  paths: { list: HostPath; undo: HostPath };
  /** Called after a version was undone. */
  onChange: () => void;
}

/** Lists what happened to a result since it was made, with a button that undoes the last change. */
export function Versions({ paths, onChange }: VersionsProps) {
  const { data, reload } = useAnswer<VersionList>(paths.list);
  // People edit pages in another tab, and come back.
  useEffect(() => listen(['visibilitychange'], () => document.hidden || reload()), []);
  const versions = data?.versions ?? [];
  if (versions.length < 2) return null;
  const latest = versions.find(({ kind, undone }) => kind !== 'undo' && !undone);
  const undo = async () => {
    await trackPageChange(post(paths.undo, { version: versions[0]!.version }));
    forgetData();
    onChange();
    toast('Undone');
  };
  return (
    <section class="card" aria-label="Versions">
      <div class="card-head">
        <h2>Versions</h2>
      </div>
      <ListTable isHeadless hasActions columns={['Change', 'Pages', 'When']}>
        {versions.map((version) => (
          <tr key={version.version}>
            <td>
              {version.undone ? <s>{version.summary}</s> : version.summary}
              {creatorName(version.by) && <span class="muted"> · {creatorName(version.by)}</span>}
            </td>
            <td class="muted">{changedPageWords(version)}</td>
            <TimeCell at={version.at} />
            <td>
              {version === latest && isUndoable(version) && (
                <Button little onClick={undo} label={`Undo: ${version.summary}`}>
                  Undo
                </Button>
              )}
            </td>
          </tr>
        ))}
      </ListTable>
    </section>
  );
}

const isUndoable = ({ kind }: VersionResponse) => kind !== 'result' && kind !== 'update';

const changedPageWords = ({ pages }: VersionResponse) =>
  pages.length === 0 ? '' : pageNames({ count: pages.length, slugs: pages });
