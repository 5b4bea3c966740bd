import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'mocha';
import type { Page } from 'playwright-core';
import { createAuthority } from './certificates.ts';
import { temporaryFolder } from './database.ts';
import type { GiteaRepository, GiteaUser } from './gitea/client.ts';
import { type Gitea, startGitea } from './gitea/gitea.ts';
import { type HostInBox, startHostInBox } from './hostInBox/hostInBox.ts';
import { startOwnConsole } from './ownConsole.ts';
import { needProgram } from './programs.ts';
import { demoPages, pagesIn } from './team/site.ts';

export type ForgeConsole = Awaited<ReturnType<typeof startForgeConsole>>;

/** A console in a browser, beside Gitea. Skips where a part of them is missing. */
export async function startForgeConsole(test: Context) {
  test.timeout(3_600_000); // the first run builds Gitea
  needProgram(test, 'Gitea');
  needProgram(test, 'Chromium');
  const parts = new AsyncDisposableStack();
  const folder = temporaryFolder();
  parts.defer(() => folder.remove());
  const authority = await createAuthority();
  const certificates = join(folder.path, 'authority.pem');
  writeFileSync(certificates, authority.ca);
  const gitea = await startGitea(authority);
  parts.defer(() => gitea.close());
  const started = await startOwnConsole(test, {
    CALLBACK_ALLOW_PRIVATE: 'true',
    NODE_EXTRA_CA_CERTS: certificates,
  });
  parts.defer(() => started.close());
  started.page.setDefaultTimeout(240_000); // a machine that builds sites meanwhile
  return {
    ...started,
    authority,
    gitea,
    owner: await gitea.createUser(),
    form: formOf(started.page),
    close: () => parts.disposeAsync(),
  };
}

export type OwnHostConsole = Awaited<ReturnType<typeof startOwnHostConsole>>;

/** The same with a private repository, which a host builds. */
export async function startOwnHostConsole(test: Context, files = pagesIn(demoPages)) {
  const started = await startForgeConsole(test);
  const { gitea, owner, authority } = started;
  const repository = await gitea.createRepository(owner, files);
  const box = await startHostInBox(gitea, repository, authority);
  return {
    ...started,
    repository,
    box,
    deployOnce: () => deployTo({ gitea, owner, repository, box }),
    async close() {
      await started.close();
      await box.close();
    },
  };
}

interface Forge {
  gitea: Gitea;
  owner: GiteaUser;
  repository: GiteaRepository;
  box: HostInBox;
}

/** A push of somebody, which the host builds before there is a site here. */
export async function deployTo({ gitea, owner, repository, box }: Forge): Promise<void> {
  const content = Buffer.from('A site of a team.\n').toString('base64');
  const { body } = await gitea.ask<{ commit: { sha: string } }>(
    owner.token,
    `POST /repos/${repository.path}/contents/about.txt`,
    { message: 'Say what this is', content },
  );
  const { state } = await box.built(body.commit.sha);
  if (state !== 'success') throw new Error(`The host's build: ${state}`);
}

/** What a person does in the forms of a page. */
export const formOf = (page: Page) => ({
  choose: (label: string, value: string) =>
    page.getByLabel(label, { exact: true }).selectOption(value),
  type: (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text),
  press: (name: string) => page.getByRole('button', { name, exact: true }).click(),
});
