import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { post } from '../client/api.ts';
import type { DeployKey, Repository, SiteCheck } from '../../../contract/answers.ts';
import { CodeBlock, Field, SelectField, TextField } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { Bones } from '../ui/states.tsx';
import { count } from '../../../browser/counts.ts';

export type Access = Repository['access'] | 'kept';

export interface RepositoryFields {
  url: string;
  branch: string;
  root: string;
  access: Access;
  username: string;
  token: string;
}

export const noRepository: RepositoryFields = {
  url: '',
  branch: '',
  root: '',
  access: 'open',
  username: '',
  token: '',
};

const isSsh = (url: string) =>
  url.startsWith('ssh://') || (/^[\w.-]+@[\w.-]+:/.test(url) && !url.includes('://'));

/** The repository as the API takes it. A kept credential is left out: it stays as it is. */
export function repositoryOf(fields: RepositoryFields, key: DeployKey | undefined) {
  const { url, branch, root, access, username, token } = fields;
  const credential =
    access === 'token'
      ? { type: 'token', token, ...(username && { username }) }
      : access === 'deploy-key' && key
        ? { type: 'deploy-key', deployKeyId: key.deployKeyId }
        : undefined;
  return {
    url: url.trim(),
    ...(branch && { branch }),
    ...(root && { root }),
    ...(credential && { credential }),
  };
}

export const isComplete = ({ url, access, token }: RepositoryFields, key: DeployKey | undefined) =>
  url.trim() !== '' &&
  (access !== 'token' || token !== '') &&
  (access !== 'deploy-key' || key !== undefined);

interface Props {
  fields: RepositoryFields;
  onChange: (fields: RepositoryFields) => void;
  deployKey: DeployKey | undefined;
  onDeployKey: (key: DeployKey) => void;
  /** Whether the site has a credential that can stay. */
  hasKept?: boolean;
}

/** Where the repository is, and how the service gets in. */
export function RepositoryForm({ fields, onChange, deployKey, onDeployKey, hasKept }: Props) {
  const set =
    <K extends keyof RepositoryFields>(name: K) =>
    (value: string) =>
      onChange({ ...fields, [name]: value });
  const choose = (access: string) => {
    onChange({ ...fields, access: access as Access });
    if (access === 'deploy-key' && !deployKey)
      void post<DeployKey>(path`/deploy-keys`).then(onDeployKey);
  };
  const setUrl = (url: string) => {
    if (isSsh(url) && fields.access !== 'deploy-key' && !hasKept) {
      onChange({ ...fields, url, access: 'deploy-key' });
      if (!deployKey) void post<DeployKey>(path`/deploy-keys`).then(onDeployKey);
    } else onChange({ ...fields, url });
  };
  return (
    <>
      <TextField
        label="Repository"
        hint="The address that you clone: https://… or git@…"
        placeholder="https://github.com/acme/website.git"
        spellcheck={false}
        autoComplete="off"
        value={fields.url}
        onInput={setUrl}
      />
      <SelectField
        label="Access"
        value={fields.access}
        onChange={choose}
        choices={[
          ...(hasKept ? ([['kept', 'As it is saved']] as [string, string][]) : []),
          ['open', 'Nothing needed'],
          ['token', 'Private: https with a token'],
          ['deploy-key', 'Private: ssh with a deploy key'],
        ]}
      />
      {fields.access === 'token' && <TokenFields fields={fields} onChange={onChange} />}
      {fields.access === 'deploy-key' && <DeployKeyHelp deployKey={deployKey} />}
      <div class="panes">
        <TextField
          label="Branch (optional)"
          hint="Left out: the one that the host names."
          spellcheck={false}
          value={fields.branch}
          onInput={set('branch')}
        />
        <TextField
          label="Folder (optional)"
          hint="Where the pages are, if not at the top."
          placeholder="public"
          spellcheck={false}
          value={fields.root}
          onInput={set('root')}
        />
      </div>
    </>
  );
}

const TokenFields = ({ fields, onChange }: Pick<Props, 'fields' | 'onChange'>) => (
  <>
    <TextField
      label="Token"
      type="password"
      autoComplete="off"
      hint="It needs to read and write this repository, nothing else. It is kept encrypted and never shown again."
      value={fields.token}
      onInput={(token) => onChange({ ...fields, token })}
    />
    <TextField
      label="User name (optional)"
      autoComplete="off"
      hint="Some hosts ask for one beside the token."
      value={fields.username}
      onInput={(username) => onChange({ ...fields, username })}
    />
  </>
);

const DeployKeyHelp = ({ deployKey }: { deployKey: DeployKey | undefined }) => (
  <Field
    label="Deploy key"
    hint="Add it to the repository’s deploy keys at your git host, and allow it to write. Then check."
  >
    {() =>
      deployKey ? <CodeBlock label="Public key" text={deployKey.publicKey} /> : <Bones lines={1} />
    }
  </Field>
);

/** What a look at the repository found, in words. */
export function CheckAnswers({ check }: { check: SiteCheck }) {
  const lines: [isGood: boolean, text: string][] = [
    [
      check.readable,
      check.readable ? 'The repository can be read' : 'The repository can’t be read',
    ],
    ...(check.readable
      ? ([
          [
            check.pushable,
            check.pushable ? 'The service may write to it' : 'The service may not write to it',
          ],
          ...(check.branch ? [[true, `Its branch is ${check.branch}`]] : []),
          ...(check.pages === null
            ? []
            : [
                [
                  check.pages > 0,
                  check.pages > 0 ? `It has ${count(check.pages, 'page')}` : 'It has no pages',
                ],
              ]),
          ...(check.format ? [[true, `Its format is ${check.format}`]] : []),
        ] as [boolean, string][])
      : []),
  ];
  return (
    <ul class="stack tight" aria-label="What the check found">
      {lines.map(([isGood, text]) => (
        <li key={text} class={isGood ? 'found good' : 'found bad'}>
          <Icon name={isGood ? 'check' : 'alert'} size={16} /> {text}
        </li>
      ))}
      {check.problems.map((problem) => (
        <li key={problem.message} class="found bad">
          <Icon name="alert" size={16} /> {problem.message}
        </li>
      ))}
    </ul>
  );
}

/** The check of a repository as it is being typed in. */
export function useCheck() {
  const [state, setState] = useState<{ of: string; check: SiteCheck }>();
  return {
    of: (repository: object) =>
      state?.of === JSON.stringify(repository) ? state.check : undefined,
    async run(repository: object) {
      const check = await post<SiteCheck>(path`/sites/check`, { repository });
      setState({ of: JSON.stringify(repository), check });
      return check;
    },
  };
}
