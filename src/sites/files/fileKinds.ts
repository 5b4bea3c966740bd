import { isDerived } from '../pages/derivedFiles.ts';
import { isProof, PROOF } from './proofs.ts';

/** Kinds of files, apart from pages, that an agent may edit. */
export type FileKind = 'css' | 'json' | 'txt';

const kinds: Record<string, FileKind> = {
  css: 'css',
  json: 'json',
  webmanifest: 'json',
  txt: 'txt',
};

const setOf = (words: string) => new Set(words.split(/\s+/));

/**
 * Names of text files that agents may edit at the site's root. Programs look there for files that
 * control rights, and only these are known to be for people and crawlers.
 */
const textsAtRoot =
  setOf(`robots humans llms llms-full license licence copying readme changelog credits notice ofl
  about imprint privacy terms`);

/** Words in the names of files that control programs or rights: builds, hosts, sellers, sign-in. */
const steeringWords =
  setOf(`config configuration configs package packages lock shrinkwrap requirements constraints
  ads sellers security trust credential credentials auth oauth oauth2 openid jwks authorization permissions
  assetlinks association verification verify crossdomain clientaccesspolicy browserconfig redirects redirect headers
  rewrites cname htaccess webfinger nostr tdmrep gpc plugin swagger openapi firebase netlify vercel wrangler superstatic
  amplify ngsw composer bower deno tsconfig jsconfig angular lerna`);
/** Whole names of files that control programs or rights. */
const steeringNames =
  setOf(`now serve did ai mta-sts pom build project nx turbo routes staticwebapp import_map
  import-map importmap related-website-set related-origin-requests dnt-policy cmakelists keybase detectify`);
const steeringFolders = setOf('node_modules well-known pki-validation acme-challenge');

/**
 * The kind of the file that an agent may edit at a path, or the reason why it may not.
 * @param path relative to the site's root
 */
export function fileKind(path: string): { kind: FileKind } | { problem: string } {
  const segments = path.split('/');
  if (segments.some((segment) => segment.startsWith('.') || segment === 'node_modules'))
    return { problem: 'files whose name or folder begins with a dot are never edited' };
  if (isDerived(path))
    return { problem: 'it is derived from the pages, and follows them by itself' };
  const [name, ending] = partsOf(segments.at(-1)!);
  const kind = kinds[ending];
  if (kind === undefined)
    return { problem: 'only css, json, txt and webmanifest files can be edited' };
  if (isProof(path)) return { problem: PROOF };
  if (kind === 'css') return { kind };
  const isRoot = segments.length === 1;
  const isSteering =
    steers(name) || segments.some((segment) => steeringFolders.has(segment.toLowerCase()));
  if (isSteering || (isRoot && name.startsWith('_')))
    return { problem: 'it steers programs or rights, not what visitors read' };
  if (isRoot && kind === 'txt' && !textsAtRoot.has(name.toLowerCase()))
    return { problem: `it stands at the site's root, and is no text that people read there` };
  return { kind };
}

/** Splits a file's name into its base and its ending in lower case. */
function partsOf(file: string): [name: string, ending: string] {
  const at = file.lastIndexOf('.');
  return at === -1 ? [file, ''] : [file.slice(0, at), file.slice(at + 1).toLowerCase()];
}

const steers = (name: string) =>
  steeringNames.has(name.toLowerCase()) ||
  wordsOf(name).some((word) => steeringWords.has(word) || word.endsWith('config'));

/** The words of a name, also split at capitals: `AssetLinks`. */
const wordsOf = (name: string) =>
  [name, name.replace(/([a-z])([A-Z])/g, '$1-$2')].flatMap((form) =>
    form.toLowerCase().split(/[^a-z0-9]/),
  );
