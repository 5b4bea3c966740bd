import { expect } from 'chai';
import { newDeployKey } from '../../../../../src/organizations/deployKey.ts';
import { createCredentialFilter } from '../../../../../src/sites/git/remote/credentialFilter.ts';
import { formsOf } from '../../../../helpers/secretForms.ts';

describe('createCredentialFilter(credential)', () => {
  const username = 'oauth2';

  for (const token of ['glpat-x9_Zk4WbQ-7LmNpR2sTu', 'to/k+%41=&<4711>', '$& $1', 'x'.repeat(800)])
    for (const form of formsOf(token, username))
      it(`removes a token as ${form.slice(0, 40)}, and keeps the words around it`, () => {
        const cut = createCredentialFilter({ kind: 'token', username, token });
        expect(
          cut(`Zugriff für «${form}» verweigert – 拒绝: https://x:${form}@git.example/`),
        ).to.match(
          /^Zugriff für «\[credential\]=*» verweigert – 拒绝: https:\/\/x:\[credential\]=*@git\.example\/$/,
        );
      });

  it('removes every line of a private key', () => {
    const { privateKey } = newDeployKey('test');
    const cut = createCredentialFilter({ kind: 'deploy-key', privateKey });
    const lines = privateKey.split('\n').filter((line) => line && !line.startsWith('---'));
    expect(lines).to.not.be.empty;
    for (const line of lines) expect(cut(`error: ${line}!`)).to.equal('error: [credential]!');
  });

  it('removes nothing without a credential', () => {
    expect(createCredentialFilter(null)('fatal: x')).to.equal('fatal: x');
  });
});
