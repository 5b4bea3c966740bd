/**
 * Tokens that a language model reads in a prompt task of 20 turns on the demo site, 4 characters
 * each: `node bench/conversation.ts`. Each turn sends the whole conversation again.
 */
import { createHash } from 'node:crypto';
import type { AgentConversation, ToolCall, ToolResult } from '../src/agents/shared/agentTypes.ts';
import { createConversationMessages } from '../src/agents/model/prompt/conversationMessages.ts';
import { promptInstructions } from '../src/agents/model/prompt/promptInstructions.ts';
import { modelTools } from '../src/agents/model/tools/modelTools.ts';
import { createWorkspace, type Workspace } from '../src/agents/workspace.ts';
import { pageCalls } from '../src/sites/pages/pageCalls.ts';
import { createPagesPool } from '../src/sites/pages/pages.ts';
import { openSite } from '../test/eval/sites.ts';
import { texts } from '../test/helpers/texts.ts';

/** What cached tokens cost of the full price: a tenth with most providers. */
const CACHED_PRICE = 0.1;
const EDITS = 6;
const slugs = [
  '/pricing',
  '/services',
  '/services/web-design',
  '/services/care-plans',
  '/locations/austin',
  '/contact',
  '/blog',
];

type NamedCall = [name: string, args: Record<string, unknown>];
/** A turn's calls, from what was answered to the turn before. */
type Step = (answered: string) => NamedCall[];

/** Shortens the first texts of an outline to their first clause. */
const shorten =
  (slug: string): Step =>
  (outline) => {
    const html = source(pathOf.get(slug === '/team' ? '/about' : slug)!);
    const found = [...outline.matchAll(/^\d+ (?:\[.*?\])* ?p ([^<>&{}\n]{60,})$/gm)];
    const long = found.filter(([, text]) => html.includes(`>${text}<`)).slice(0, EDITS);
    const edits = long.map(([, text]) => {
      const [first] = text!.split(/[,.:;]/);
      return { old: `>${text}<`, new: `>${first}.<` };
    });
    return [['edit_html', { slug, edits }]];
  };

const menu = '<li><a href="about">About</a></li> <li><a href="blog/">Journal</a></li>';

const steps: Step[] = [
  () => [
    ['list_pages', {}],
    ['read_page', { slug: '/' }],
  ],
  () => [
    ['read_page', { slug: '/', chrome: true }],
    ['search', { text: 'hero', in: 'styles' }],
  ],
  ...slugs.flatMap((slug): Step[] => [() => [['read_page', { slug }]], shorten(slug)]),
  () => [['create_page', { slug: '/team', from: '/about' }]],
  shorten('/team'),
  () => [
    [
      'edit_html',
      {
        slug: '/',
        edits: [
          {
            old: menu,
            new: menu.replace('</li> ', '</li>' + '\n<li><a href="team">Team</a></li> '),
          },
        ],
        everywhere: true,
      },
    ],
  ],
  () => [['finish', { summary: 'Made the texts shorter, and added /team to the navigation.' }]],
];

const { tree, pages: paths, source } = openSite('demo');
const slugOf = (path: string) => `/${path.replace(/(?:(?:^|\/)index)?\.html$/, '')}`;
const pathOf = new Map(paths.map((path) => [slugOf(path), path]));

/** A page as the rules read it: its texts, groups and links. */
function asJson(slug: string): string {
  const path = pathOf.get(slug === '/team' ? '/about' : slug)!;
  const page = { path, source: source(path) };
  return JSON.stringify([
    pageCalls.read(page).slots,
    pageCalls.groups(page),
    pageCalls.links(page),
  ]);
}

interface Exchange {
  calls: ToolCall[];
  results: ToolResult[];
}

/** The same turn with readings as JSON, and a call for each text that is written. */
function before({ calls, results }: Exchange): Exchange {
  const pairs = calls.flatMap((call, i) => asBefore(call, results[i]!));
  return { calls: pairs.map(([call]) => call), results: pairs.map(([, result]) => result) };
}

function asBefore(call: ToolCall, result: ToolResult): [ToolCall, ToolResult][] {
  const { slug, edits, chrome } = call.arguments as {
    slug: string;
    chrome?: boolean;
    edits?: object[];
  };
  if (call.name === 'edit_html')
    return edits!.map((edit, n) => {
      const id = `${call.id}.${n}`;
      return [
        { id, name: 'set_text', arguments: { slug, ...edit } },
        { id, content: 'Done', isError: false },
      ];
    });
  if (call.name !== 'read_page' && call.name !== 'create_page') return [[call, result]];
  return chrome ? [] : [[call, { ...result, content: asJson(slug) }]];
}

async function converse(workspace: Workspace): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  let answered = '';
  for (const [n, step] of steps.entries()) {
    const own = step(answered).map(([name, args], i): ToolCall => ({
      id: `call_${n}_${i}`,
      name,
      arguments: args,
    }));
    const { results } = await workspace.runTurn({ text: '', toolCalls: own });
    const wrong = results.find(({ isError }) => isError);
    if (wrong) throw new Error(`Turn ${n + 1}: ${wrong.content}`);
    exchanges.push({ calls: own, results });
    answered = results[0]!.content;
  }
  return exchanges;
}

/** Tokens of each request of a conversation. */
function requests(exchanges: Exchange[], start: Omit<AgentConversation, 'turns'>): number[] {
  const fixed = JSON.stringify([promptInstructions, modelTools]).length;
  const turns = exchanges.map(({ calls, results }) => ({
    turn: { text: '', toolCalls: calls },
    results,
  }));
  const digest = createHash('sha256').digest('hex');
  return exchanges.map((_, n) => {
    const messages = createConversationMessages({ ...start, turns: turns.slice(0, n) }, digest);
    return Math.round((fixed + JSON.stringify(messages).length) / 4);
  });
}

function row(what: string, sizes: number[]) {
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const cached = sizes.reduce(
    (sum, size, i) => sum + (i === 0 ? 0 : Math.min(size, sizes[i - 1]!)),
    0,
  );
  const priced = Math.round(all - cached + CACHED_PRICE * cached);
  return {
    what,
    turns: sizes.length,
    'last request': sizes.at(-1)!,
    read: all,
    'of them cached': cached,
    'at full price': priced,
  };
}

const pool = createPagesPool();
const workspace = createWorkspace({ tree, pages: pool, texts, agent: 'model' });
const prompt =
  'Make the texts of our pages shorter, and add a team page with a link in the navigation';
const start = {
  taskId: 'bg-0000000000000000000000',
  siteId: 'site',
  prompt,
  pages: await workspace.pages(),
};
const exchanges = await converse(workspace);
await pool.close();
console.table([
  row('JSON, a call for each text', requests(exchanges.map(before), start)),
  row('outlines, texts in batches', requests(exchanges, start)),
]);
