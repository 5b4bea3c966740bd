import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveHttps } from './httpsRemote.ts';
import { Workplace } from './workplace.ts';
import { createAuthority } from '../certificates.ts';
import { formsOf } from '../secretForms.ts';
import { demoPages } from './site.ts';

/** A team's repository behind https, into which only the token lets one in. */
export interface PrivateRepository {
  place: Workplace;
  url: string;
  /** What the service must be started with to reach it. */
  env: Record<string, string>;
  close(): Promise<void>;
}

type Answer = NonNullable<Parameters<typeof serveHttps>[2]>;

/**
 * @param folder of the pages in the repository
 * @param answer may take a request that has the token
 */
export async function startPrivateRepository(
  token: string,
  folder = '',
  answer: Answer = () => false,
): Promise<PrivateRepository> {
  const place = new Workplace();
  cpSync(demoPages, join(place.clone, folder), { recursive: true });
  place.push({});
  const authority = await createAuthority();
  const certificates = join(place.folder, 'authority.pem');
  writeFileSync(certificates, authority.ca);
  const server = await serveHttps(
    place.folder,
    await authority.issue({ ip: ['127.0.0.1'] }),
    (request, response) => {
      const [, given] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
      if (given && Buffer.from(given, 'base64').toString().endsWith(`:${token}`))
        return answer(request, response);
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return true;
    },
  );
  return {
    place,
    url: `${server.url}/team%20site.git`,
    env: { CALLBACK_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: certificates },
    async close() {
      await server.close();
      await place.remove();
    },
  };
}

/** The files below a folder that have one of the texts in them, in any form. */
export function filesWith(folder: string, ...texts: string[]): string[] {
  const forms = texts.flatMap((text) => formsOf(text, 'x-access-token'));
  const { stdout } = spawnSync('grep', ['-rlaF', '-D', 'skip', '-f', '-', folder], {
    encoding: 'utf8',
    input: forms.join('\n'),
  });
  return stdout.split('\n').filter(Boolean);
}
