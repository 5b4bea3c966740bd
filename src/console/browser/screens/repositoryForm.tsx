import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { post } from '../client/api.ts';
import type { DeployKey, Repository, SiteCheck } from '../../../contract/answers.ts';
import { CodeBlock, Field, SelectField, TextField } from '../ui/controls.tsx';
import { useWork } from '../ui/form.ts';
import { Icon } from '../ui/icons.tsx';
import { Bones, ProblemOf } from '../ui/states.tsx';
import { count } from '../../../browser/counts.ts';

type Access = Repository['access'] | 'kept';

interface RepositoryFields {
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

/** The repository as the API takes it. A kept credential is left out: the site keeps it. */
function repositoryOf(fields: RepositoryFields, key: DeployKey | undefined) {
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

const isComplete = ({ url, access, token }: RepositoryFields, key: DeployKey | undefined) =>
  url.trim() !== '' &&
  (access !== 'token' || token !== '') &&
  (access !== 'deploy-key' || key !== undefined);

type TypedRepository = ReturnType<typeof useRepository>;

/** A repository that is being typed in, with what the last check of exactly these values found. */
export function useRepository(first: RepositoryFields) {
  const [fields, setFields] = useState(first);
  const [deployKey, setDeployKey] = useState<DeployKey>();
  const [checked, setChecked] = useState<{ of: string; check: SiteCheck }>();
  const { error, run } = useWork();
  const repository = repositoryOf(fields, deployKey);
  const asked = JSON.stringify(repository);
  return {
    fields,
    deployKey,
    repository,
    isComplete: isComplete(fields, deployKey),
    found: checked?.of === asked ? checked.check : undefined,
    error,
    run,
    change: (changed: Partial<RepositoryFields>) => {
      setFields((before) => ({ ...before, ...changed }));
      if (changed.access === 'deploy-key' && !deployKey)
        void post<DeployKey>(path`/deploy-keys`).then(setDeployKey);
    },
    check: () =>
      run(async () => {
        const check = await post<SiteCheck>(path`/sites/check`, { repository });
        setChecked({ of: asked, check });
      }),
  };
}

interface FormProps {
  of: TypedRepository;
  /** Whether the site has a credential that can be kept. */
  hasKept?: boolean;
}

/** Asks where the repository is, and how the service gets access. */
export function RepositoryForm({ of: { fields, change, deployKey }, hasKept = false }: FormProps) {
  const bind = (name: keyof RepositoryFields) => ({
    value: fields[name],
    onInput: (value: string) => change({ [name]: value }),
  });
  const setUrl = (url: string) => {
    const needsKey = isSsh(url) && fields.access !== 'deploy-key' && !hasKept;
    change({ url, ...(needsKey && { access: 'deploy-key' }) });
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
      <SelectField<Access>
        label="Access"
        value={fields.access}
        onChange={(access) => change({ access })}
        choices={[
          hasKept && ['kept', 'As it is saved'],
          ['open', 'Nothing needed'],
          ['token', 'Private: https with a token'],
          ['deploy-key', 'Private: ssh with a deploy key'],
        ]}
      />
      {fields.access === 'token' && (
        <>
          <TextField
            label="Token"
            type="password"
            autoComplete="off"
            hint="It needs to read and write this repository, nothing else. It is kept encrypted and never shown again."
            {...bind('token')}
          />
          <TextField
            label="User name (optional)"
            autoComplete="off"
            hint="Some hosts ask for one beside the token."
            {...bind('username')}
          />
        </>
      )}
      {fields.access === 'deploy-key' && <DeployKeyHelp deployKey={deployKey} />}
      <div class="panes">
        <TextField
          label="Branch (optional)"
          hint="Left out: the one that the host names."
          spellcheck={false}
          {...bind('branch')}
        />
        <TextField
          label="Folder (optional)"
          hint="Where the pages are, if not at the top."
          placeholder="public"
          spellcheck={false}
          {...bind('root')}
        />
      </div>
    </>
  );
}

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

/** Shows what the check of a repository found, or why it failed. */
export const RepositoryAnswers = ({ of: { found, error } }: { of: TypedRepository }) => (
  <>
    {found && (
      <ul class="stack tight" aria-label="What the check found">
        {answersOf(found).map(([isGood, text]) => (
          <li key={text} class={isGood ? 'found good' : 'found bad'}>
            <Icon name={isGood ? 'check' : 'alert'} size={16} /> {text}
          </li>
        ))}
      </ul>
    )}
    <ProblemOf error={error} />
  </>
);

type Answer = [isGood: boolean, text: string];

function answersOf(check: SiteCheck): Answer[] {
  const { readable, pushable, branch, pages, format } = check;
  const problems = check.problems.map(({ message }): Answer => [false, message]);
  if (!readable) return [[false, 'The repository can’t be read'], ...problems];
  const answers: (Answer | null | '')[] = [
    [true, 'The repository can be read'],
    [pushable, pushable ? 'The service may write to it' : 'The service may not write to it'],
    branch && [true, `Its branch is ${branch}`],
    pages === null
      ? null
      : [pages > 0, pages > 0 ? `It has ${count(pages, 'page')}` : 'It has no pages'],
    format && [true, `Its format is ${format}`],
  ];
  return [...answers.filter((answer) => answer !== null && answer !== ''), ...problems];
}
