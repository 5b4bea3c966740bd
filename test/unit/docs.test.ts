import { expect } from 'chai';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readContext } from '../../src/agents/shared/context/readContext.ts';
import { pageTextKeys } from '../../src/agents/shared/context/contextKeys.ts';
import { writeRulesPage } from '../../src/agents/rules/page/writeRulesPage.ts';
import { instructionKinds } from '../../src/agents/rules/prompt/wordings/instructionKinds.ts';
import { readPrompt } from '../../src/agents/rules/prompt/readPrompt.ts';
import { askToolDefinition, modelTools } from '../../src/agents/model/tools/modelTools.ts';
import { activityQueues, TASK_QUEUE } from '../../src/contract/task.ts';
import { pageCalls } from '../../src/sites/pages/pageCalls.ts';
import { promptsDocument } from '../../docs/prompts.ts';
import { blocks, documents, read, root } from '../helpers/documents.ts';

/** All code, in one text. */
const code = globSync('{src,activities,workflows}/**/*.ts', { cwd: root }).map(read).join('\n');

/** Text outside of fenced blocks, line by line. */
const prose = (document: string) =>
  read(document)
    .replace(/^ *```[\s\S]*?^ *```$/gm, '')
    .split('\n');

/** The anchors of a document's headings, as GitHub and GitLab make them. */
const anchors = (document: string) =>
  prose(document)
    .filter((line) => /^#+ /.test(line))
    .map((line) => line.replace(/^#+ /, '').toLowerCase())
    .map((heading) => heading.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'));

describe('every document', () => {
  for (const document of documents) {
    it(`${document} has only links that lead to a file or a heading`, () => {
      const links = [
        ...prose(document)
          .join('\n')
          .matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g),
      ];
      for (const [link, path, anchor] of links) {
        const target = path ? join(dirname(document), path) : document;
        expect(existsSync(join(root, target)), link).to.equal(true);
        if (anchor) expect(anchors(target), link).to.include(anchor);
      }
    });

    if (document !== 'CHANGELOG.md')
      it(`${document} names only existing files and folders`, () => {
        const named = [
          ...prose(document)
            .join('\n')
            .matchAll(/`((?:src|test|activities|workflows|bench|docs|\.ci)\/[^`\s<*]*)`/g),
        ].map(([, path]) => path!);
        expect(named.filter((path) => !existsSync(join(root, path)))).to.deep.equal([]);
      });

    it(`${document} has lines of 120 characters at most`, () => {
      const long = prose(document).filter((line) => line.length > 120 && !line.startsWith('|'));
      expect(long).to.deep.equal([]);
    });
  }

  it('names only existing npm scripts', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
    const texts = documents.map((name) => read(name)).join('\n');
    const named = [...texts.matchAll(/npm run (?:-s )?([a-z:]+)/g)].map(([, name]) => name!);
    expect(Object.keys(scripts)).to.include.members([...new Set(named)]);
  });
});

describe('docs/architecture.md', () => {
  it('has a tree with only existing files and folders', () => {
    const tree = read('docs/architecture.md').split('```')[1]!;
    const paths = tree
      .trim()
      .split('\n')
      .map((line) => /^\S+/.exec(line)![0]);
    expect(paths).to.include.members(['src/service.ts', 'workflows/', 'activities/']);
    expect(paths.filter((path) => !existsSync(join(root, path)))).to.deep.equal([]);
  });
});

describe('docs/queues.md', () => {
  it('names every queue and every activity', () => {
    const [, table = ''] = read('docs/queues.md').split("## Temporal's queues");
    const registered = read('activities/index.ts').matchAll(/^ {4}(\w+): (?:create|queue)/gm);
    const activities = [...registered].map(([, name]) => name!);
    expect(activities).to.have.length.above(20).and.to.include.members(['readSite', 'pruneSites']);
    expect(table.match(/\w+/g)).to.include.members(activities);
    expect(table.match(/`[\w-]+`/g)).to.include.members(
      [TASK_QUEUE, ...Object.values(activityQueues)].map((name) => `\`${name}\``),
    );
  });
});

describe('docs/security.md', () => {
  it('names only existing tests', () => {
    const named = [...read('docs/security.md').matchAll(/`(test\/[^`]+)`/g)].map(
      ([, path]) => path!,
    );
    expect(named).to.have.length.above(20);
    expect(named.filter((path) => !existsSync(join(root, path)))).to.deep.equal([]);
  });
});

describe('docs/contract.md', () => {
  const contract = read('docs/contract.md');
  const sections = [...contract.matchAll(/^##+ (\d+(?:\.\d+)?)/gm)].map(([, number]) => number!);

  it('numbers its sections in order', () => {
    const inOrder = sections.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    expect(sections).to.deep.equal(inOrder);
    expect(new Set(sections).size).to.equal(sections.length).and.to.be.above(20);
  });

  it('has every section that it refers to, and that comments of the code cite', () => {
    const own = [...contract.matchAll(/\((\d+(?:\.\d+)?)\)/g)].map(([, number]) => number!);
    const citation = /docs\/contract\.md(?:,[\s*]+section[\s*]+(\d+(?:\.\d+)?))?/g;
    const cited = [...code.matchAll(citation)].map(([, number]) => number);
    expect(cited).to.have.length.above(25);
    const unknown = [...own, ...cited].filter((number) => !sections.includes(number!));
    expect(unknown).to.deep.equal([]);
  });
});

describe('docs/glossary.md', () => {
  it('has 45 words, and only existing names of the code', () => {
    const rows = [...read('docs/glossary.md').matchAll(/^\| ([a-z ]+) \|.*\| ([^|]*`.*) \|$/gm)];
    expect(rows).to.have.length(45);
    const names = rows.flatMap(([, , cell]) => [...cell!.matchAll(/`(\w+)`/g)]);
    const unknown = names.filter(([, name]) => !new RegExp(`\\b${name}\\b`).test(code));
    expect(unknown.map(([, name]) => name)).to.deep.equal([]);
    expect(names).to.have.length.above(30);
  });
});

describe('docs/troubleshooting.md', () => {
  /** The code, where a text that it spreads over lines is in one piece. */
  const texts = code.replace(/['"`] \+\s+['"`]/g, '');
  const inTables = read('docs/troubleshooting.md').matchAll(/^\| `(The callback[^`]+)`/gm);
  const messages = [
    ...blocks('docs/troubleshooting.md', 'text').flatMap((text) => text.trim().split('\n')),
    ...[...inTables].map(([, message]) => message!),
  ];

  it('shows messages', () => expect(messages).to.have.length.above(15));

  for (const message of messages)
    it(`shows the message "${message}", which is in the code`, () => {
      const parts = message
        .split(/ *<[a-z]+> *|[:;,] (?:or )?/)
        .filter((part) => /\w{2}/.test(part));
      expect(parts.filter((part) => !texts.includes(part))).to.deep.equal([]);
    });
});

describe('docs/prompts.md', () => {
  it('is the output of `npm run docs`', () =>
    expect(read('docs/prompts.md')).to.equal(promptsDocument()));

  it('shows only wordings that are understood as one instruction', () => {
    for (const prompt of blocks('docs/prompts.md', '')[0]!.split('\n').filter(Boolean))
      expect(readPrompt(prompt), prompt).to.have.lengthOf(1);
  });
});

describe('docs/agents.md', () => {
  const [, contexts, prompts] = read('docs/agents.md').split(/\n## (?:Pages|Prompts)\n/) as [
    string,
    string,
    string,
  ];
  const block = (text: string) => text.split('```')[1]!.trim();

  it('shows five instructions of different kinds, each of which is understood', () => {
    const shown = block(prompts).split('\n');
    const kinds = shown.map((prompt) => {
      expect(readPrompt(prompt), prompt).to.have.lengthOf(1);
      return Object.entries(instructionKinds).find(([, { wordings }]) =>
        wordings.some(([, example]) => example === prompt),
      )?.[0];
    });
    expect(new Set(kinds).size).to.equal(5);
    expect(kinds).to.not.include(undefined);
    expect(readPrompt('On /pricing, set the title to “Prices”')).to.deep.equal(
      readPrompt('Change the title of /pricing to "Prices"'),
    );
  });

  it('names every tool of a language model', () => {
    const rows = prompts
      .split('\n### The tools of a language model\n')[1]!
      .matchAll(/^\|[^|`]+\| (`.+?) \|$/gm);
    const shown = [...rows].flatMap(([, cell]) => cell!.match(/\w+/g)!);
    expect(shown).to.have.members([...modelTools, askToolDefinition].map(({ name }) => name));
  });

  it('has a context that is read as lines, with known keys', () => {
    const { format, fields } = readContext(block(contexts));
    expect(format).to.equal('lines');
    expect(fields.map(({ key }) => key)).to.deep.equal([
      'city',
      'title',
      'headline',
      'lead',
      'phone',
    ]);
  });

  it('has lists that set the number and the texts of repeated blocks on the demo page', () => {
    const path = 'locations/austin.html';
    const template = { path, source: read(`src/demo/site/${path}`) };
    const { slug, slots, groups } = pageCalls.readTemplate(template, []);
    const item = {
      targetPageSlug: '/locations/porto',
      context: contexts.split('repeated blocks**')[1]!.split('```')[1]!,
    };
    const written = writeRulesPage({ slug, slots, groups }, item);
    const counts = new Map(groups.map(({ section, id }) => [section, written.groups?.[id]]));
    expect(counts.get('How projects run in Austin')).to.equal(2);
    expect(counts.get('What a website costs in Austin')).to.equal(2);
    expect(counts.get('Questions from Austin')).to.equal(1);
    expect(
      written.notes
        .map(({ text }) => text)
        .filter((text) => text.includes('its place is empty') || text.includes('not used')),
    ).to.deep.equal([
      '/locations/porto: "Grande" of "What a website costs" has no ready in, so its place is empty',
    ]);
  });

  it('has a table of keys that matches the agent', () => {
    const rows = [...contexts.matchAll(/^\| (`.+?) \|/gm)].map(([, cell]) => [
      ...cell!.matchAll(/`([^`]+)`/g),
    ]);
    const known: string[] = Object.values(pageTextKeys).flat();
    expect(rows).to.have.lengthOf(Object.keys(pageTextKeys).length);
    for (const key of rows.flat().map(([, name]) => name!)) expect(known).to.include(key);
  });
});
