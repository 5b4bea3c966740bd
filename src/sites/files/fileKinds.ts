import { isDerived } from '../pages/sitemap/derivedFiles.ts';
import { isProofFile, PROOF_FILE_REASON } from './proofFiles.ts';

/** Kinds of files, apart from pages, that an agent may edit. */
export type EditableFileKind = 'css' | 'json' | 'txt';

const kindsByEnding: Record<string, EditableFileKind> = {
  css: 'css',
  json: 'json',
  webmanifest: 'json',
  txt: 'txt',
};

const splitWordSet = (words: string) => new Set(words.split(/\s+/));

/**
 * Names of text files that agents may edit at the site's root. Programs look there for files that
 * control rights, and only these are known to be for people and crawlers.
 */
const rootTextNames =
  splitWordSet(`robots humans llms llms-full license licence copying readme changelog credits notice ofl
  about imprint privacy terms`);

/**
 * Words in the names of steering files. These are files that control programs or access rights,
 * such as builds, hosts, sellers and sign-in, and that agents may not edit.
 */
const steeringWords =
  splitWordSet(`config configuration configs package packages lock shrinkwrap requirements constraints
  ads sellers security trust credential credentials auth oauth oauth2 openid jwks authorization permissions
  assetlinks association verification verify crossdomain clientaccesspolicy browserconfig redirects redirect headers
  rewrites cname htaccess webfinger nostr tdmrep gpc plugin swagger openapi firebase netlify vercel wrangler superstatic
  amplify ngsw composer bower deno tsconfig jsconfig angular lerna`);
/** Whole names of steering files. */
const steeringNames =
  splitWordSet(`now serve did ai mta-sts pom build project nx turbo routes staticwebapp import_map
  import-map importmap related-website-set related-origin-requests dnt-policy cmakelists keybase detectify`);
const steeringFolders = splitWordSet('node_modules well-known pki-validation acme-challenge');

/**
 * The kind of the file that an agent may edit at a path, or the reason why it may not: `robots.txt`
 * → kind `txt`, `_headers.txt` → a problem.
 * @param path relative to the site's root
 */
export function editableFileKind(path: string): { kind: EditableFileKind } | { problem: string } {
  const segments = path.split('/');
  if (segments.some((segment) => segment.startsWith('.') || segment === 'node_modules'))
    return {
      problem:
        'a task cannot edit files whose name or folder begins with a dot, or files in node_modules',
    };
  if (isDerived(path)) return { problem: 'the service updates this file from the pages' };
  const [name, ending] = splitFileName(segments.at(-1)!);
  const kind = kindsByEnding[ending];
  if (kind === undefined)
    return { problem: 'only css, json, txt and webmanifest files can be edited' };
  if (isProofFile(path)) return { problem: PROOF_FILE_REASON };
  if (kind === 'css') return { kind };
  const isRoot = segments.length === 1;
  const isSteering =
    isSteeringName(name) || segments.some((segment) => steeringFolders.has(segment.toLowerCase()));
  if (isSteering || (isRoot && name.startsWith('_')))
    return { problem: 'the file controls programs or access rights, and is not for visitors' };
  if (isRoot && kind === 'txt' && !rootTextNames.has(name.toLowerCase()))
    return {
      problem: `the file is in the site's root folder, and is not one of the text files that people read there`,
    };
  return { kind };
}

/** Splits a file's name into its base and its ending in lower case. */
function splitFileName(file: string): [name: string, ending: string] {
  const dotIndex = file.lastIndexOf('.');
  return dotIndex === -1
    ? [file, '']
    : [file.slice(0, dotIndex), file.slice(dotIndex + 1).toLowerCase()];
}

const isSteeringName = (name: string) =>
  steeringNames.has(name.toLowerCase()) ||
  nameWords(name).some((word) => steeringWords.has(word) || word.endsWith('config'));

/** The words of a name, also split at capitals: `AssetLinks`. */
const nameWords = (name: string) =>
  [name, name.replace(/([a-z])([A-Z])/g, '$1-$2')].flatMap((nameForm) =>
    nameForm.toLowerCase().split(/[^a-z0-9]/),
  );
