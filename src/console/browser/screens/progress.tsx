import type { Task } from '../../../contract/answers.ts';
import type { HostWait, TaskPhase } from '../../../contract/task.ts';
import { Out } from '../ui/controls.tsx';
import { ProgressBar } from '../ui/progressBar.tsx';
import { Time } from '../ui/time.tsx';
import { count } from '../../../browser/counts.ts';
import { webAddress } from '../webAddress.ts';

const phases: [TaskPhase, string][] = [
  ['reading', 'Reading the site'],
  ['working', 'Writing'],
  ['committing', 'Checking'],
  ['deploying', 'Preparing the preview'],
  ['publishing', 'Publishing'],
  ['finishing', 'Finishing'],
];

/** Shows the progress of a running task. */
export function Progress({ task }: { task: Task }) {
  const { phase = 'reading', pages: counted, steps, waitingFor } = task.progress ?? {};
  const at = phases.findIndex(([name]) => name === phase);
  const shown = phases.filter(
    ([name]) => name !== 'publishing' || phase === name || task.type === 'publish',
  );
  const share = counted?.total ? counted.done / counted.total : 0;
  const percent = Math.round(((at + (phase === 'working' ? share : 0)) / phases.length) * 100);
  return (
    <section class="card padded stack" aria-label="Progress">
      <div class="row spread">
        <span class="strong" role="status">
          {phases[at]?.[1] ?? 'Working'}
          {counted &&
            phase === 'working' &&
            ` · ${counted.done} of ${count(counted.total, 'page')}`}
          {steps !== undefined && steps > 0 && ` · ${count(steps, 'step')}`}
        </span>
        <span class="muted small">You can leave this page. The task goes on.</span>
      </div>
      {waitingFor && 'what' in waitingFor && <Waiting for={waitingFor} />}
      <ProgressBar percent={percent} least={4} />
      <ol class="steps">
        {shown.map(([name, text]) => {
          const index = phases.findIndex(([each]) => each === name);
          return (
            <li
              key={name}
              data-is={index < at ? 'done' : ''}
              aria-current={index === at ? 'step' : undefined}
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
function Waiting({ for: { what, url, since } }: { for: HostWait }) {
  const href = webAddress(url);
  return (
    <p aria-label="Waiting">
      Waiting for {what}. The wait began <Time at={since} />.{' '}
      {href && <Out href={href}>See it there</Out>}
    </p>
  );
}
