import { path } from '../../../editor/public/path.js';
import { useState } from 'preact/hooks';
import { post } from '../client/api.ts';
import { wordsOf } from '../client/http.ts';
import type { Site, SitePage, Started } from '../client/types.ts';
import { navigate } from '../router.ts';
import { Button, Field } from '../ui/controls.tsx';
import { Problem } from '../ui/states.tsx';
import { After, type AfterChoice, afterFields } from './after.tsx';

/** Sentences that mean something on this site. */
export function examplesFor(pages: SitePage[]): string[] {
  const page = pages.find(({ slug }) => slug !== '/' && slug !== '/404') ?? pages[0];
  const template = pages.find(({ slug, template }) => template && slug.lastIndexOf('/') > 0);
  if (!page) return [];
  const folder = template ? template.slug.slice(0, template.slug.lastIndexOf('/')) : '';
  return [
    `Change the headline of ${page.slug} to "A headline of your own"`,
    ...(template ? [`Create ${folder}/rome for Rome from ${template.slug}`] : []),
    'Replace "2025" with "2026" everywhere',
    `Add ${page.slug} to the navigation`,
  ];
}

/** A task in words. */
export function Instructions({ site, pages }: { site: Site; pages: SitePage[] }) {
  const [prompt, setPrompt] = useState('');
  const [after, setAfter] = useState<AfterChoice>('preview');
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const start = async () => {
    setState({ busy: true });
    try {
      const { taskId } = await post<Started>(path`/agent/tasks`, {
        siteId: site.siteId,
        prompt,
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
        <div class="stack tight">
          <span class="legend">Examples for this site</span>
          <div class="examples">
            {examplesFor(pages).map((example) => (
              <button key={example} type="button" onClick={() => setPrompt(prompt ? `${prompt}\n${example}` : example)}>
                {example}
              </button>
            ))}
          </div>
        </div>
        <After value={after} onChange={setAfter} />
        {state.error !== undefined && <Problem>{wordsOf(state.error)}</Problem>}
      </div>
      <div class="card-foot">
        <a href="/docs/agents.md" target="_blank" rel="noopener noreferrer">
          What instructions can say
        </a>
        <Button look="primary" busy={state.busy} disabled={!prompt.trim()} onClick={() => void start()}>
          Start
        </Button>
      </div>
    </section>
  );
}
