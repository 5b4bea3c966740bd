import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { api, post } from '../../client/api.ts';
import { errorText } from '../../../../browser/sendRequest.ts';
import type {
  SiteSummary,
  StartedTaskResponse,
  TaskRequestResponse,
} from '../../../../contract/responses.ts';
import { useData } from '../../useData.ts';
import type { AfterChoice } from '../../table/tableDraft.ts';
import { navigate } from '../../router.ts';
import { Button, ButtonLink, OutsideLink } from '../../ui/controls.tsx';
import { LoadingBones, Problem, ProblemOf } from '../../ui/states.tsx';
import { useWork } from '../../ui/form.ts';
import { PromptField } from './promptField.tsx';
import { AfterField, afterFields, afterChoiceOf } from './afterField.tsx';
import { MayAsk } from './mayAsk.tsx';

interface InstructionsProps {
  site: SiteSummary;
}

/**
 * The form, filled in with another task's request if one is named, so that people can rephrase it.
 */
export function PrefilledInstructions({
  taskId,
  ...formProps
}: InstructionsProps & { taskId: string | null }) {
  const { data, error } = useData<TaskRequestResponse | null>(`request ${taskId}`, async () =>
    taskId ? api<TaskRequestResponse>(hostPath`/agent/tasks/${taskId}/request`) : null,
  );
  if (data === undefined && error === undefined) return <LoadingBones />;
  return (
    <>
      {error !== undefined && (
        <Problem>The instructions of that task could not be loaded. {errorText(error)}</Problem>
      )}
      <Instructions key={taskId} {...formProps} said={data ?? undefined} />
    </>
  );
}

const BaseTaskLine = ({ taskId, leave }: { taskId: string; leave: () => void }) => (
  <div class="row spread">
    <span>
      The new task changes the pages of another task. Publishing it publishes the changes of both.
    </span>
    <div class="row">
      <ButtonLink little href={hostPath`/tasks/${taskId}`.toString()}>
        Open the other task
      </ButtonLink>
      <Button little onClick={leave}>
        Start from the live site
      </Button>
    </div>
  </div>
);

/** The form for a task that follows instructions in plain words. */
function Instructions({
  site,
  said: formerRequest,
}: InstructionsProps & { said: TaskRequestResponse | undefined }) {
  const [prompt, setPrompt] = useState(formerRequest?.prompt ?? '');
  const [baseTaskId, setBase] = useState(formerRequest?.baseTaskId ?? undefined);
  const [after, setAfter] = useState<AfterChoice>(
    formerRequest ? afterChoiceOf(formerRequest) : 'preview',
  );
  const [mayAsk, setMayAsk] = useState(formerRequest?.ask === 'allowed');
  const { busy, error, run } = useWork();
  const request = { siteId: site.siteId, prompt, baseTaskId };
  const startTask = async () => {
    const body = { ...request, ...afterFields(after), ...(mayAsk && { ask: 'allowed' }) };
    const { taskId } = await post<StartedTaskResponse>(hostPath`/agent/tasks`, body);
    navigate(`/tasks/${taskId}`);
  };
  return (
    <section class="card" aria-label="Instructions">
      <div class="card-body stack">
        {baseTaskId !== undefined && (
          <BaseTaskLine taskId={baseTaskId} leave={() => setBase(undefined)} />
        )}
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
        <AfterField value={after} onChange={setAfter} />
        <MayAsk value={mayAsk} onChange={setMayAsk} />
        <ProblemOf error={error} />
      </div>
      <div class="card-foot">
        <OutsideLink href="/docs/prompts">What you can write in instructions</OutsideLink>
        <Button look="primary" busy={busy} disabled={!prompt.trim()} onClick={() => run(startTask)}>
          Start
        </Button>
      </div>
    </section>
  );
}
