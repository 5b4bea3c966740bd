import { useState } from 'preact/hooks';
import { GoesLiveToo } from '../../../../browser/alsoPublished.tsx';
import { countNoun, pageNames } from '../../../../browser/counts.ts';
import { hostPath } from '../../../../browser/hostPath.ts';
import type {
  PublishCheckResponse,
  SiteResponse,
  StartedTaskResponse,
  Task,
} from '../../../../contract/responses.ts';
import { api, post } from '../../client/api.ts';
import { navigate } from '../../router.ts';
import { Button, type SelectChoice, SelectField } from '../../ui/controls.tsx';
import { askToConfirm } from '../../ui/dialog.tsx';
import { forgetData } from '../../useData.ts';
import { mergeModeAt, publishWords } from '../../words/mergeWords.ts';
import { isOpenNote } from '../../words/noteWords.ts';
import { publishSentence } from '../../words/reviewWords.ts';
import type { PageReviewState } from '../reviews/usePageReview.ts';

/** The last step of a review: says how many pages go live and how many are left out. */
export function TaskPublishStep({ task, review }: { task: Task; review: PageReviewState }) {
  const pages = review.reviews.data?.pages ?? [];
  const livePages = pages.filter((page) => review.verdictOf(page) !== 'left-out');
  const sentence = publishSentence({
    live: livePages.length,
    linkFrom: undefined,
    unseen: 0,
    leftOut: pages.length - livePages.length,
    openNotes: livePages.reduce((sum, { openNotes }) => sum + openNotes, 0),
  });
  return (
    <div class="publish-step">
      <p>{sentence}</p>
      <Button
        look="primary"
        disabled={livePages.length === 0}
        onClick={() => askToPublishTask(task)}
      >
        {livePages.length === 0 ? 'Publish' : `Publish ${countNoun(livePages.length, 'page')}`}
      </Button>
    </div>
  );
}

const notesToCheckWords = (noteCount: number) =>
  `There ${noteCount === 1 ? 'is 1 thing' : `are ${noteCount} things`} to check.`;

/** Asks whether the pages of a task go live, and says which ones are left out. */
export async function askToPublishTask(task: Task): Promise<void> {
  const [check, { host }] = await Promise.all([
    api<PublishCheckResponse>(hostPath`/agent/tasks/${task.taskId}/publish`),
    api<SiteResponse>(hostPath`/sites/${task.siteId}`),
  ]);
  const mergeMode = mergeModeAt(host);
  const { conflicts, leftOut } = check;
  const notes = (task.output?.notes ?? []).filter(isOpenNote);
  const openCount = notes.filter(({ page }) => !leftOut.slugs.includes(page ?? '')).length;
  let winner: ConflictWinner = 'own';
  askToConfirm({
    title: 'Put these pages live?',
    text: [
      openCount > 0 && notesToCheckWords(openCount),
      mergeMode && publishWords[mergeMode],
      'Everyone can see the pages as soon as they are live.',
      openCount === 0 && 'An earlier version of the site can be put live again.',
    ]
      .filter(Boolean)
      .join(' '),
    details: (
      <>
        <GoesLiveToo check={check} />
        {conflicts.length > 0 && (
          <ConflictChoice conflicts={conflicts} onChoose={(chosen) => (winner = chosen)} />
        )}
      </>
    ),
    submit: 'Publish',
    isDanger: false,
    async onSubmit() {
      for (const updatedId of new Set(conflicts.map((conflict) => conflict.taskId)))
        await post(hostPath`/agent/tasks/${updatedId}/versions/update`, { conflicts: winner });
      const { taskId } = await post<StartedTaskResponse>(
        hostPath`/agent/tasks/${task.taskId}/publish`,
      );
      forgetData();
      navigate(`/tasks/${taskId}`);
    },
  });
}

type ConflictWinner = 'own' | 'other';
const winnerChoices: SelectChoice<ConflictWinner>[] = [
  ['own', 'The pages of this task'],
  ['other', 'The pages as others changed them'],
];

/** Asks whose version of a page goes live, if others changed it since the task began. */
function ConflictChoice({
  conflicts,
  onChoose,
}: {
  conflicts: PublishCheckResponse['conflicts'];
  onChoose: (winner: ConflictWinner) => void;
}) {
  const [winner, setWinner] = useState<ConflictWinner>('own');
  const choose = (chosen: ConflictWinner) => {
    setWinner(chosen);
    onChoose(chosen);
  };
  return (
    <>
      {conflicts.map(({ taskId, baseTaskId, pages }) => (
        <p key={`${taskId} ${baseTaskId}`}>
          {baseTaskId ? (
            <>
              The <a href={`/tasks/${baseTaskId}`}>task that this one builds on</a> has changed
              since:{' '}
            </>
          ) : (
            'Changed on the live site since: '
          )}
          {pageNames(pages)}
        </p>
      ))}
      <SelectField
        label="Which version goes live"
        value={winner}
        onChange={choose}
        choices={winnerChoices}
      />
    </>
  );
}
