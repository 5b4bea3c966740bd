import type { Task } from '../../../../contract/responses.ts';
import type { HostWait, TaskPhase } from '../../../../contract/task.ts';
import { OutsideLink } from '../../ui/controls.tsx';
import { ProgressBar } from '../../ui/progressBar.tsx';
import { Time } from '../../ui/time.tsx';
import { countNoun } from '../../../../browser/counts.ts';
import { openableUrl } from '../../openableUrl.ts';

const phases: [TaskPhase, string][] = [
  ['reading', 'Reading the site'],
  ['working', 'Writing'],
  ['committing', 'Checking'],
  ['deploying', 'Preparing the preview'],
  ['publishing', 'Publishing'],
  ['finishing', 'Finishing'],
];

/** Shows the progress of a running task. */
export function TaskProgressCard({ task }: { task: Task }) {
  const { phase = 'reading', pages: pageProgress, steps, waitingFor } = task.progress ?? {};
  const phaseIndex = phases.findIndex(([name]) => name === phase);
  const shownPhases = phases.filter(
    ([name]) => name !== 'publishing' || phase === name || task.type === 'publish',
  );
  const pageShare = pageProgress?.total ? pageProgress.done / pageProgress.total : 0;
  const percent = Math.round(
    ((phaseIndex + (phase === 'working' ? pageShare : 0)) / phases.length) * 100,
  );
  return (
    <section class="card padded stack" aria-label="Progress">
      <div class="row spread">
        <span class="strong" role="status">
          {phases[phaseIndex]?.[1] ?? 'Working'}
          {pageProgress &&
            phase === 'working' &&
            ` · ${pageProgress.done} of ${countNoun(pageProgress.total, 'page')}`}
          {steps !== undefined && steps > 0 && ` · ${countNoun(steps, 'step')}`}
        </span>
        <span class="muted small">You can leave this page. The task continues.</span>
      </div>
      {waitingFor && 'what' in waitingFor && <HostWaitLine for={waitingFor} />}
      <ProgressBar percent={percent} least={4} />
      <ol class="steps">
        {shownPhases.map(([name, text]) => {
          const index = phases.findIndex(([phaseName]) => phaseName === name);
          return (
            <li
              key={name}
              data-is={index < phaseIndex ? 'done' : ''}
              aria-current={index === phaseIndex ? 'step' : undefined}
            >
              {text}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The host or forge that a task waits for. */
function HostWaitLine({ for: { what, url, since } }: { for: HostWait }) {
  const href = openableUrl(url);
  return (
    <p aria-label="Waiting">
      Waiting for {what}. The wait began <Time at={since} />.{' '}
      {href && <OutsideLink href={href}>See it there</OutsideLink>}
    </p>
  );
}
