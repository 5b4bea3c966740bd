import { useState } from 'preact/hooks';
import { wordsOf } from '../../../browser/http.ts';
import type { Started } from '../../../contract/answers.ts';
import type { AfterChoice, Draft } from '../draft.ts';
import type { ChangeDraft } from '../useDraft.ts';
import { rowNames } from '../tableLines.ts';
import { count } from '../../../browser/counts.ts';
import { navigate } from '../router.ts';
import { inRows } from '../rowMessages.ts';
import { inTasks, type Row } from '../table.ts';
import { Button } from '../ui/controls.tsx';
import { Problem } from '../ui/states.tsx';
import type { RowItem } from './useRowChecks.ts';

interface StartProps {
  draft: Draft;
  change: ChangeDraft;
  /** Forgets the table. */
  end: () => void;
  /** The rows that still have to be started. */
  items: RowItem[];
  /** Ids of those rows that can't be started. */
  bad: number[];
  isChecking: boolean;
  start: (items: RowItem[], title: string, idempotencyKey: string) => Promise<Started>;
}

interface State {
  busy: boolean;
  problem?: string;
}

/**
 * Starts a task for every ten rows. After a failure, rows whose task has begun are not started
 * again.
 */
export function StartRows({ draft, change, end, items, bad, isChecking, start }: StartProps) {
  const [state, setState] = useState<State>({ busy: false });
  const begun = tasksOf(draft);
  const parts = inTasks(items);
  const title = draft.options.title.trim();
  const total = begun.length + parts.length;
  const run = async () => {
    setState({ busy: true });
    const tasks = [...begun];
    for (const part of parts) {
      const own = title && total > 1 ? `${title} (${tasks.length + 1} of ${total})` : title;
      try {
        const { taskId } = await start(part, own, keyOf(draft, [part, own]));
        tasks.push(taskId);
        change((former) => withTask(former, part, taskId));
      } catch (error) {
        return setState({ busy: false, problem: inRows(wordsOf(error), part) });
      }
    }
    navigate(`/tasks/${tasks.join(',')}`);
    end();
  };
  const leaveOut = () => change((former) => without(former, bad));
  return (
    <>
      {state.problem !== undefined && (
        <div class="card-body">
          <Problem>
            {state.problem}
            {begun.length > 0 &&
              ` ${count(begun.length, 'task')} began. Start again to begin the rest.`}
          </Problem>
        </div>
      )}
      <div class="card-foot">
        <span role="status">{statusOf({ draft, items, bad, isChecking })}</span>
        <span class="row">
          {bad.length > 0 && (
            <Button little onClick={leaveOut}>
              {bad.length === 1 ? 'Leave it out' : `Leave these ${bad.length} out`}
            </Button>
          )}
          <Button
            look="primary"
            busy={state.busy}
            disabled={bad.length > 0 || total === 0}
            onClick={() => void run()}
          >
            {parts.length === 0 && begun.length > 0
              ? `Show ${begun.length === 1 ? 'the task' : `the ${begun.length} tasks`}`
              : parts.length > 1
                ? `Start ${parts.length} tasks`
                : 'Start'}
          </Button>
        </span>
      </div>
    </>
  );
}

/**
 * The idempotency key of a request. The same request always has the same key, so repeating it after
 * a lost answer starts nothing twice.
 */
function keyOf({ id, template, options }: Draft, request: unknown): string {
  let hash = 0;
  for (const character of JSON.stringify([request, template, options]))
    hash = (hash * 31 + character.codePointAt(0)!) % 0xffffffff;
  return `${id}-${hash.toString(36)}`;
}

const tasksOf = ({ rows }: Draft) => [...new Set(rows.flatMap(({ taskId }) => taskId ?? []))];

const withTask = (draft: Draft, part: RowItem[], taskId: string): Draft => {
  const slugs = new Map(part.map(({ id, targetPageSlug }) => [id, targetPageSlug]));
  const started = (row: Row) =>
    slugs.has(row.id) ? { ...row, taskId, typed: slugs.get(row.id) } : row;
  return { ...draft, rows: draft.rows.map(started) };
};

const without = (draft: Draft, ids: number[]): Draft => ({
  ...draft,
  rows: draft.rows.map((row) => (ids.includes(row.id) ? { ...row, isOut: true } : row)),
});

type Status = Pick<StartProps, 'draft' | 'items' | 'bad' | 'isChecking'>;

function statusOf({ draft, items, bad, isChecking }: Status): string {
  if (bad.length > 0) {
    const names = rowNames(bad);
    return `${names.charAt(0).toUpperCase()}${names.slice(1)} ${bad.length === 1 ? 'needs' : 'need'} a look before you can start.`;
  }
  if (items.length === 0)
    return tasksOf(draft).length > 0 ? 'All rows are started.' : 'There is no row to start.';
  if (isChecking) return 'Checking the rows…';
  const { length } = inTasks(items);
  const parts = length > 1 ? `, in ${length} tasks of up to ten` : '';
  return `${count(items.length, 'page')}${parts}. ${afterwards[draft.options.after]}`;
}

const afterwards: Record<AfterChoice, string> = {
  preview: 'Nothing goes live before you publish it.',
  hold: 'What has nothing to check goes live by itself.',
  publish: 'All of it goes live by itself.',
};
