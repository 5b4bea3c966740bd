import { SITEMAP } from '../pages/derivedFiles.ts';

/** Kinds of files whose texts an agent may edit, beside pages. */
export type FileKind = 'css' | 'json' | 'txt' | 'xml';

const kinds: Record<string, FileKind> = { css: 'css', json: 'json', webmanifest: 'json', txt: 'txt', xml: 'xml' };

/** Files that steer programs and rights, not what visitors read: builds, hosts, who may sell or connect. */
const steering = new Set(
  'package.json package-lock.json npm-shrinkwrap.json composer.json bower.json tsconfig.json jsconfig.json vercel.json now.json netlify.json firebase.json staticwebapp.config.json routes.json wrangler.json angular.json nx.json turbo.json deno.json lerna.json assetlinks.json ads.txt app-ads.txt requirements.txt crossdomain.xml clientaccesspolicy.xml pom.xml build.xml'.split(
    ' ',
  ),
);

/**
 * What kind of file an agent may edit at a path, or why it may not.
 * @param path relative to the site's root
 */
export function fileKind(path: string): { kind: FileKind } | { problem: string } {
  const segments = path.split('/');
  const name = segments.at(-1)!.toLowerCase();
  if (segments.some((segment) => segment.startsWith('.') || segment === 'node_modules'))
    return { problem: 'files whose name or folder begins with a dot are never edited' };
  if (path === SITEMAP) return { problem: 'it is derived from the pages, and follows them by itself' };
  if (steering.has(name) || name.endsWith('.config.json'))
    return { problem: 'it steers programs, not what visitors read' };
  const kind = name.includes('.') ? kinds[name.slice(name.lastIndexOf('.') + 1)] : undefined;
  return kind ? { kind } : { problem: 'only css, json, txt, xml and webmanifest files can be edited' };
}
