import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { api, post } from '../client/api.ts';
import { wordsOf } from '../../../browser/http.ts';
import type { Site, SiteExamples, Started, TaskRequest } from '../../../contract/answers.ts';
import { useData } from '../useData.ts';
import { changedWords } from '../promptWords.ts';
import { navigate } from '../router.ts';
import { Button, ButtonLink, Field } from '../ui/controls.tsx';
import { Bones, Problem } from '../ui/states.tsx';
import { PromptCheck } from './promptCheck.tsx';
import { After, type AfterChoice, afterFields, afterOf } from './afterChoice.tsx';

interface FormProps {
  site: Site;
}

/** The form with what another task was asked for, if one is named: to say it in other words. */
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

/** Instructions that were tried on this site. Without any, there is nothing to show. */
function Examples({ siteId, add }: { siteId: string; add: (example: string) => void }) {
  const { data, error } = useData(`examples ${siteId}`, (signal) =>
    api<SiteExamples>(path`/sites/${siteId}/examples`, { signal }),
  );
  if (error !== undefined || data?.examples.length === 0) return null;
  return (
    <div class="stack tight">
      <span class="legend">Examples for this site</span>
      {data ? (
        <div class="examples">
          {data.examples.map(({ prompt, changes }) => (
            <button
              key={prompt}
              type="button"
              title={changedWords(changes)}
              onClick={() => add(prompt)}
            >
              {prompt}
            </button>
          ))}
        </div>
      ) : (
        <Bones lines={4} />
      )}
    </div>
  );
}

/** A task in words. */
function Instructions({ site, said }: FormProps & { said: TaskRequest | undefined }) {
  const [prompt, setPrompt] = useState(said?.prompt ?? '');
  const [baseTaskId, setBase] = useState(said?.baseTaskId ?? undefined);
  const [after, setAfter] = useState<AfterChoice>(said ? afterOf(said) : 'preview');
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const request = { siteId: site.siteId, prompt, ...(baseTaskId !== undefined && { baseTaskId }) };
  const start = async () => {
    setState({ busy: true });
    try {
      const { taskId } = await post<Started>(path`/agent/tasks`, {
        ...request,
        ...afterFields(after),
      });
      navigate(`/tasks/${taskId}`);
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return (
    <section class="card" aria-label="Instructions">
      <div class="card-body stack">
        {baseTaskId !== undefined && <Base taskId={baseTaskId} leave={() => setBase(undefined)} />}
        <Field
          label="What shall change?"
          hint="One change or several. Name pages by their address or title, and quote texts."
        >
          {(bound) => (
            <textarea
              {...bound}
              rows={7}
              maxLength={20_000}
              value={prompt}
              placeholder='Change the headline of /pricing to "Prices that fit on one page"'
              onInput={(event) => setPrompt(event.currentTarget.value)}
            />
          )}
        </Field>
        <PromptCheck {...request} onPrompt={setPrompt} />
        <Examples
          siteId={site.siteId}
          add={(example) => setPrompt(prompt ? `${prompt}\n${example}` : example)}
        />
        <After value={after} onChange={setAfter} />
        {state.error !== undefined && <Problem>{wordsOf(state.error)}</Problem>}
      </div>
      <div class="card-foot">
        <a href="/docs/prompts.md" target="_blank" rel="noopener noreferrer">
          What instructions can say
        </a>
        <Button
          look="primary"
          busy={state.busy}
          disabled={!prompt.trim()}
          onClick={() => void start()}
        >
          Start
        </Button>
      </div>
    </section>
  );
}
