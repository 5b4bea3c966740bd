import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { api, post } from '../client/api.ts';
import { wordsOf } from '../../../browser/http.ts';
import type { Site, Started, TaskRequest } from '../../../contract/answers.ts';
import { useData } from '../useData.ts';
import type { AfterChoice } from '../draft.ts';
import { navigate } from '../router.ts';
import { Button, ButtonLink, Out } from '../ui/controls.tsx';
import { Bones, Problem, ProblemOf } from '../ui/states.tsx';
import { useWork } from '../ui/form.ts';
import { PromptField } from './promptCheck.tsx';
import { After, afterFields, afterOf } from './afterChoice.tsx';
import { MayAsk } from './mayAsk.tsx';

interface FormProps {
  site: Site;
}

/**
 * The form, filled in with another task's request if one is named, so that people can rephrase it.
 */
export function SaidBefore({ taskId, ...form }: FormProps & { taskId: string | null }) {
  const { data, error } = useData<TaskRequest | null>(`request ${taskId}`, async () =>
    taskId ? api<TaskRequest>(path`/agent/tasks/${taskId}/request`) : null,
  );
  if (data === undefined && error === undefined) return <Bones />;
  return (
    <>
      {error !== undefined && (
        <Problem>What that task was asked for could not be read. {wordsOf(error)}</Problem>
      )}
      <Instructions key={taskId} {...form} said={data ?? undefined} />
    </>
  );
}

const Base = ({ taskId, leave }: { taskId: string; leave: () => void }) => (
  <div class="row spread">
    <span>This changes the pages of another task. Publishing it publishes both.</span>
    <div class="row">
      <ButtonLink little href={path`/tasks/${taskId}`.toString()}>
        The other task
      </ButtonLink>
      <Button little onClick={leave}>
        Start from the live site
      </Button>
    </div>
  </div>
);

/** The form for a task that is given as instructions. */
function Instructions({ site, said }: FormProps & { said: TaskRequest | undefined }) {
  const [prompt, setPrompt] = useState(said?.prompt ?? '');
  const [baseTaskId, setBase] = useState(said?.baseTaskId ?? undefined);
  const [after, setAfter] = useState<AfterChoice>(said ? afterOf(said) : 'preview');
  const [mayAsk, setMayAsk] = useState(said?.ask === 'allowed');
  const { busy, error, run } = useWork();
  const request = { siteId: site.siteId, prompt, baseTaskId };
  const start = async () => {
    const body = { ...request, ...afterFields(after), ...(mayAsk && { ask: 'allowed' }) };
    const { taskId } = await post<Started>(path`/agent/tasks`, body);
    navigate(`/tasks/${taskId}`);
  };
  return (
    <section class="card" aria-label="Instructions">
      <div class="card-body stack">
        {baseTaskId !== undefined && <Base taskId={baseTaskId} leave={() => setBase(undefined)} />}
        <PromptField
          request={request}
          onPrompt={setPrompt}
          hint="One change or several. Name pages by their address or title, and quote texts."
          box={{
            rows: 7,
            maxLength: 20_000,
            placeholder: 'Change the headline of /pricing to "Prices that fit on one page"',
          }}
        />
        <After value={after} onChange={setAfter} />
        <MayAsk value={mayAsk} onChange={setMayAsk} />
        <ProblemOf error={error} />
      </div>
      <div class="card-foot">
        <Out href="/docs/prompts.md">What instructions can say</Out>
        <Button look="primary" busy={busy} disabled={!prompt.trim()} onClick={() => run(start)}>
          Start
        </Button>
      </div>
    </section>
  );
}
