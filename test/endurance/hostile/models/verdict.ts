import { type DefaultTreeAdapterTypes as Tree, parse } from 'parse5';
import { parse as parseCss } from 'postcss';

/**
 * The files of a commit below the site's root, or anywhere; symbolic links and modes as git has
 * them.
 */
export interface TreeFile {
  mode: string;
  text: string;
}
export type Files = ReadonlyMap<string, TreeFile>;

const invisible =
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\u{E0000}-\u{E0FFF}]/gu;
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]/g;

/** Characters that nobody sees, or that change directions. */
export const unseenIn = (text: string): string[] => [
  ...(text.match(invisible) ?? []),
  ...(text.match(controls) ?? []),
];

/**
 * What a commit has that no task may bring: written without any part of the service's own checks.
 * @param allowed what this one may bring all the same, in the same words
 */
export function harmOf(
  before: Files,
  after: Files,
  { root, allowed = [] }: { root: string; allowed?: string[] },
) {
  const harm: string[] = [];
  const known = knownParts.get(before) ?? partsOfAll(before);
  knownParts.set(before, known);
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(path), after.get(path)];
    if (old?.text === now?.text && old?.mode === now?.mode) continue;
    harm.push(...pathHarm(path, old, now, root));
    if (now && isFile(now))
      harm.push(...partsOf(path, now.text).filter((part) => !known.has(part)));
  }
  return [...new Set(harm)].filter((part) => !allowed.includes(part));
}

const isFile = ({ mode }: TreeFile) => mode === '100644';
/** Many commits are compared with one, whose pages are many. */
const knownParts = new WeakMap<Files, Set<string>>();
const partsOfAll = (files: Files) =>
  new Set([...files].flatMap(([path, file]) => (isFile(file) ? partsOf(path, file.text) : [])));

function pathHarm(
  path: string,
  old: TreeFile | undefined,
  now: TreeFile | undefined,
  root: string,
): string[] {
  const own = path.slice(root.length + 1);
  const isOurs = path.startsWith(`${root}/`) && !`/${own}`.includes('/.') && /^[\w/.-]+$/.test(own);
  const kind = own.split('.').at(-1)!;
  const isSteering = /(?:^|\/)(?:package|vercel)\.json$|\.js$/.test(own);
  return [
    ...(isOurs ? [] : [`file ${path}`]),
    ...(old && now && old.mode !== now.mode ? [`mode of ${path}`] : []),
    ...(now && now.mode !== '100644' ? [`mode ${now.mode} of ${path}`] : []),
    ...(!(old && now) && kind !== 'html' ? [`${now ? 'new' : 'deleted'} ${path}`] : []),
    ...(!['html', 'css', 'json', 'txt', 'xml', 'webmanifest'].includes(kind) || isSteering
      ? [`changed ${path}`]
      : []),
    ...(!now && own === 'index.html' ? ['home page deleted'] : []),
  ];
}

function partsOf(path: string, text: string): string[] {
  const unseen = unseenIn(text).map(
    (character) => `unseen U+${character.codePointAt(0)!.toString(16)}`,
  );
  if (path.endsWith('.html')) return [...unseen, ...pageParts(text)];
  if (path.endsWith('.css')) return [...unseen, ...styleParts(text)];
  if (/\.(?:json|webmanifest)$/.test(path)) return [...unseen, ...jsonParts(text)];
  if (path.endsWith('.xml'))
    return [...unseen, ...(text.match(/<[^>]*>/g) ?? []), ...hostsIn(text)];
  return unseen;
}

const loud = new Set(
  'script style iframe frame frameset object embed applet form base link portal math input button textarea select template noscript meta foreignobject animate set use'.split(
    ' ',
  ),
);
/** Attributes that people read, beside the texts of elements. */
const words = new Set('title placeholder label alt value aria-label'.split(' '));
const addresses = new Set(
  'src srcset href xlink:href action formaction poster data background cite manifest ping longdesc'.split(
    ' ',
  ),
);

function pageParts(source: string): string[] {
  const parts: string[] = [];
  const visit = (node: Tree.Node) => {
    if (node.nodeName === '#comment') parts.push(`comment ${(node as Tree.CommentNode).data}`);
    if ('tagName' in node) parts.push(...elementParts(node));
    if ('content' in node) visit(node.content);
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(source));
  return parts;
}

function elementParts({ tagName, attrs, childNodes }: Tree.Element): string[] {
  const value = (name: string) => attrs.find((one) => one.name === name)?.value ?? '';
  const text = childNodes.map((child) => ('value' in child ? child.value : '')).join('');
  const isData = tagName === 'script' && value('type') === 'application/ld+json';
  const isWords = (name: string) =>
    name === 'content' ? tagName === 'meta' && value('http-equiv') === '' : words.has(name);
  const names = attrs
    .map(({ name, value }) => (isWords(name) ? name : `${name}=${value}`))
    .join(' ');
  const isCode = (tagName === 'script' && !isData) || tagName === 'style' || tagName === 'iframe';
  return [
    ...(isData ? jsonParts(text, false) : []),
    ...(loud.has(tagName) && tagName !== 'link'
      ? [`<${tagName} ${names}>${isCode ? text : ''}`]
      : []),
    ...(tagName === 'link' ? [`<link ${value('rel')}>`] : []),
    ...attrs.flatMap(({ name, value, prefix }) => {
      const full = prefix ? `${prefix}:${name}` : name;
      if (full.startsWith('on') || full === 'style' || full === 'srcdoc')
        return [`${full}=${value}`];
      if (full === 'class') return value.split(/\s+/).map((one) => `class ${one}`);
      return addresses.has(full) ? [`${tagName}.${full} ${leadsTo(value)}`] : [];
    }),
  ];
}

/** The host of an address, or its scheme where it has none; '' for one of the site. */
function leadsTo(address: string): string {
  const url = URL.parse(address, 'https://own.invalid/');
  if (url === null) return `broken ${address}`;
  if (url.protocol === 'mailto:') return `mailto ${[...url.searchParams.keys()].join(' ')}`.trim();
  if (!/^https?:$/.test(url.protocol)) return url.protocol;
  return url.host === 'own.invalid' ? '' : url.host;
}

function styleParts(source: string): string[] {
  const parts: string[] = [];
  parseCss(source).walk((node) => {
    if (node.type === 'comment') parts.push(`comment ${node.text}`);
    if (node.type === 'rule') parts.push(`rule ${node.selector}`);
    if (node.type === 'atrule') parts.push(`@${node.name} ${node.params}`);
    if (node.type === 'decl' && /behavior|binding/i.test(node.prop)) parts.push(node.prop);
  });
  const loads =
    /(?:url|src|image|image-set|expression|element|paint|cross-fade)\([^)]*\)|@import[^;]*/gi;
  return [...parts, ...(source.replaceAll('\\', '').match(loads) ?? []), ...hostsIn(source)];
}

/**
 * @param isRead whether scripts may take its strings for markup and addresses; else only whole ones
 *   are addresses
 */
function jsonParts(source: string, isRead = true): string[] {
  const parts: string[] = [];
  const visit = (value: unknown, path: string) => {
    if (typeof value === 'string' && (isRead || URL.canParse(value))) parts.push(...hostsIn(value));
    if (typeof value === 'string' && isRead && /<[a-z!/]/i.test(value))
      parts.push(`markup ${value}`);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      const own = Array.isArray(value) ? `${path}[]` : `${path}.${key}`;
      if (!Array.isArray(value)) parts.push(`key ${own}`);
      visit(inner, own);
    }
  };
  visit(JSON.parse(source), '');
  return parts;
}

/** Hosts and dangerous schemes in a text, as a browser would take them. */
function hostsIn(text: string): string[] {
  const bare = text.replace(/[\t\n\r]/g, '');
  const hosts = bare.match(/(?:(?:https?|wss?|ftp):[\\/]*|[\\/]{2})[a-z0-9.[\]:@-]+/gi) ?? [];
  const schemes = bare.match(/(?:javascript|vbscript|data|blob|file):/gi) ?? [];
  return [...hosts.map((host) => `host ${host.replaceAll(/[\\/]+/g, '/')}`), ...schemes];
}
