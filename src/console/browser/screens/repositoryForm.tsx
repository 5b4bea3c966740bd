import { path } from '../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { post } from '../client/api.ts';
import type {
  DeployKey,
  OneSite,
  Repository,
  SiteCheck,
  SiteHost,
} from '../../../contract/answers.ts';
import { fieldsOf, type HostFields, knownOf, missingIn, noHost, ownHostOf } from '../ownHost.ts';
import { CodeBlock, Field, SelectField, TextArea, TextField } from '../ui/controls.tsx';
import { useWork } from '../ui/form.ts';
import { Bones, ProblemOf } from '../ui/states.tsx';
import { count } from '../../../browser/counts.ts';
import { Found, HostAnswers, HostForm, HostMissing, ServedBy } from './hostForm.tsx';

type Access = Repository['access'] | 'kept';

interface RepositoryFields {
  url: string;
  branch: string;
  root: string;
  access: Access;
  username: string;
  token: string;
  appId: string;
  privateKey: string;
}

export const noRepository: RepositoryFields = {
  url: '',
  branch: '',
  root: '',
  access: 'open',
  username: '',
  token: '',
  appId: '',
  privateKey: '',
};

const isSsh = (url: string) =>
  url.startsWith('ssh://') || (/^[\w.-]+@[\w.-]+:/.test(url) && !url.includes('://'));

/** The repository as the API takes it. A kept credential is left out: the site keeps it. */
function repositoryOf(fields: RepositoryFields, key: DeployKey | undefined) {
  const { url, branch, root } = fields;
  const credential = credentialOf(fields, key);
  return {
    url: url.trim(),
    ...(branch && { branch }),
    ...(root && { root }),
    ...(credential && { credential }),
  };
}

function credentialOf(fields: RepositoryFields, key: DeployKey | undefined) {
  const { access, username, token, appId, privateKey } = fields;
  if (access === 'token') return { type: 'token', token, ...(username && { username }) };
  if (access === 'github-app') return { type: 'github-app', appId: appId.trim(), privateKey };
  if (access === 'deploy-key' && key) return { type: 'deploy-key', deployKeyId: key.deployKeyId };
  return undefined;
}

function isComplete(fields: RepositoryFields, key: DeployKey | undefined): boolean {
  const { url, access, token, appId, privateKey } = fields;
  if (url.trim() === '') return false;
  if (access === 'token') return token !== '';
  if (access === 'github-app') return appId.trim() !== '' && privateKey !== '';
  return access !== 'deploy-key' || key !== undefined;
}

type TypedRepository = ReturnType<typeof useRepository>;

/**
 * A repository and a host that are being typed in, with what the last check of exactly these values
 * found.
 */
export function useRepository(first: RepositoryFields, site?: Pick<OneSite, 'siteId' | 'host'>) {
  const saved = site?.host;
  const [fields, setFields] = useState(first);
  const [host, setHost] = useState(saved ? fieldsOf(saved) : noHost);
  const [deployKey, setDeployKey] = useState<DeployKey>();
  const [checked, setChecked] = useState<{ of: string; check: SiteCheck }>();
  const { error, run } = useWork();
  const ownHost = ownHostOf(host, saved);
  const place = {
    repository: repositoryOf(fields, deployKey),
    ...(ownHost && { host: ownHost }),
  };
  const asked = JSON.stringify(place);
  const change = (changed: Partial<RepositoryFields>) => {
    setFields((before) => ({ ...before, ...changed }));
    if (changed.access === 'deploy-key' && !deployKey)
      void post<DeployKey>(path`/deploy-keys`).then(setDeployKey);
  };
  return {
    fields,
    host,
    deployKey,
    place,
    isComplete: isComplete(fields, deployKey) && missingIn(host) === undefined,
    found: checked?.of === asked ? checked.check : undefined,
    error,
    run,
    change,
    changeHost: (changed: Partial<HostFields>) => {
      setHost((before) => ({ ...before, ...changed }));
      // only these open pull requests
      if (changed.forge && changed.forge !== 'none' && fields.access !== 'kept')
        change({ access: accessAt(changed.forge, fields.access) });
    },
    check: () =>
      run(async () => {
        const stored = site && { siteId: site.siteId };
        const check = await post<SiteCheck>(path`/sites/check`, { ...stored, ...place });
        setChecked({ of: asked, check });
      }),
  };
}

const accessAt = (forge: HostFields['forge'], access: Access): Access =>
  forge === 'github' && access === 'github-app' ? access : 'token';

interface FormProps {
  of: TypedRepository;
  /** Whether the site has a credential that can be kept. */
  hasKept?: boolean;
  /** The site's present host. */
  saved?: SiteHost;
}

/** Asks where the repository is, how the service gets access, and who serves the pages. */
export function RepositoryForm({ of, hasKept = false, saved }: FormProps) {
  const { fields, change, host, changeHost } = of;
  const bind = bindTo(of);
  const setUrl = (url: string) => {
    const needsKey =
      isSsh(url) && host.forge === 'none' && fields.access !== 'deploy-key' && !hasKept;
    change({ url, ...(needsKey && { access: 'deploy-key' }) });
  };
  const hasBypass = saved?.type === 'own' && saved.bypass !== null;
  return (
    <>
      <TextField
        label="Repository"
        hint={
          host.forge === 'none'
            ? 'The address that you clone: https://… or git@…'
            : 'The address that you clone: https://…'
        }
        placeholder="https://github.com/acme/website.git"
        spellcheck={false}
        autoComplete="off"
        value={fields.url}
        onInput={setUrl}
      />
      <ServedBy
        value={host.forge}
        onChange={(forge) => changeHost({ ...noHost, forge, kind: kindAfter(host, forge) })}
      />
      <AccessForm of={of} hasKept={hasKept} />
      <div class="panes">
        <TextField
          label="Branch (optional)"
          hint="Left out: the one that the repository names."
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
      <HostForm fields={host} change={changeHost} hasBypass={hasBypass} />
    </>
  );
}

const kindAfter = ({ forge, kind }: HostFields, next: HostFields['forge']) =>
  forge === next ? kind : next === 'github' ? 'netlify' : 'reports';

const bindTo =
  ({ fields, change }: TypedRepository) =>
  (name: keyof RepositoryFields) => ({
    value: fields[name],
    onInput: (value: string) => change({ [name]: value }),
  });

/** Asks for the credential. Only a token or a GitHub App can open pull requests. */
function AccessForm({ of, hasKept }: { of: TypedRepository; hasKept: boolean }) {
  const { fields, change, deployKey, host } = of;
  const { access } = fields;
  const isHere = host.forge === 'none';
  const bind = bindTo(of);
  return (
    <>
      <SelectField<Access>
        label="Access"
        value={access}
        onChange={(next) => change({ access: next })}
        choices={[
          hasKept && ['kept', 'As it is saved'],
          isHere && ['open', 'Nothing needed'],
          ['token', isHere ? 'Private: https with a token' : 'A token'],
          isHere && ['deploy-key', 'Private: ssh with a deploy key'],
          host.forge === 'github' && ['github-app', 'A GitHub App'],
        ]}
      />
      {access === 'token' && (
        <>
          <TextField
            label="Token"
            type="password"
            autoComplete="off"
            hint={`${tokenNeeds[host.forge]} It is kept encrypted and never shown again.`}
            {...bind('token')}
          />
          {isHere && (
            <TextField
              label="User name (optional)"
              autoComplete="off"
              hint="Some hosts ask for one beside the token."
              {...bind('username')}
            />
          )}
        </>
      )}
      {access === 'github-app' && (
        <>
          <TextField
            label="App ID"
            autoComplete="off"
            hint="On the app’s page at GitHub. Install the app on the repository."
            placeholder="1234567"
            {...bind('appId')}
          />
          <TextArea
            label="Private key"
            hint="The whole .pem file that GitHub made. It is kept encrypted and never shown again."
            placeholder="-----BEGIN RSA PRIVATE KEY-----"
            {...bind('privateKey')}
          />
        </>
      )}
      {access === 'deploy-key' && <DeployKeyHelp deployKey={deployKey} />}
    </>
  );
}

const giteaNeeds =
  'Of an account that may write to the repository, with read and write of repositories.';
const tokenNeeds: Record<HostFields['forge'], string> = {
  none: 'It needs to read and write this repository, nothing else.',
  github:
    'A fine-grained one of this repository: contents and pull requests to read and write, deployments and commit statuses to read.',
  gitea: giteaNeeds,
  forgejo: giteaNeeds,
};

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

/** Shows what the check of a repository and a host found, or why it failed. */
export function RepositoryAnswers({ of }: { of: TypedRepository }) {
  const { found, error, host, changeHost } = of;
  const believe = (one: string) => {
    const present = host.hosts.trim() || knownOf(host).hosts.join(', ');
    changeHost({ hosts: present ? `${present}, ${one}` : one });
  };
  return (
    <>
      {found && (
        <ul class="stack tight" aria-label="What the check found">
          {answersOf(found).map(([isGood, text]) => (
            <Found key={text} is={isGood ? 'good' : 'bad'}>
              {text}
            </Found>
          ))}
          {found.host && <HostAnswers check={found.host} believe={believe} />}
        </ul>
      )}
      {of.fields.url && <HostMissing fields={host} />}
      <ProblemOf error={error} />
    </>
  );
}

type Answer = [isGood: boolean, text: string];

function answersOf(check: SiteCheck): Answer[] {
  const { readable, pushable, branch, pages, format } = check;
  const problems = [...check.problems, ...check.warnings].map(({ message }): Answer => [
    false,
    message,
  ]);
  if (!readable) return [[false, 'The repository can’t be read'], ...problems];
  const answers: (Answer | null | '')[] = [
    [true, 'The repository can be read'],
    branch && [
      pushable,
      pushable ? 'The service may write to it' : 'The service may not write to it',
    ],
    branch && [true, `Its branch is ${branch}`],
    pages === null
      ? null
      : [pages > 0, pages > 0 ? `It has ${count(pages, 'page')}` : 'It has no pages'],
    format && [true, `Its format is ${format}`],
  ];
  return [...answers.filter((answer) => answer !== null && answer !== ''), ...problems];
}
