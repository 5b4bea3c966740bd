import type { ComponentChildren } from 'preact';
import type { HostCheck } from '../../../contract/answers.ts';
import type { ForgeKind } from '../../../contract/site.ts';
import { hostOf } from '../liveAddress.ts';
import {
  forgeNames,
  hasName,
  type HostFields,
  type HostKind,
  kindsAt,
  knownOf,
  missingIn,
  noHost,
  type Publishing,
} from '../ownHost.ts';
import { Button, type Choice, Out, SelectField, TextField } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { webAddress } from '../webAddress.ts';

const forges = ['github', 'gitea', 'forgejo'] as const;

interface ServedByProps {
  value: HostFields['forge'];
  onChange: (forge: HostFields['forge']) => void;
}

/** Asks who builds and serves the site. */
export const ServedBy = (props: ServedByProps) => (
  <SelectField<HostFields['forge']>
    label="Who serves the pages"
    choices={[
      ['none', 'This service'],
      ...forges.map((forge): Choice<ForgeKind> => [
        forge,
        `Our host, built from ${forgeNames[forge]}`,
      ]),
    ]}
    hint={
      props.value === 'none'
        ? 'Nothing else is needed: previews and live pages are served here.'
        : 'Your host goes on building the site. Previews and live pages have its addresses.'
    }
    {...props}
  />
);

const kindNames: Record<HostKind, string> = {
  netlify: 'Netlify',
  vercel: 'Vercel',
  cloudflare: 'Cloudflare Pages',
  'github-pages': 'GitHub Pages',
  reports: 'Another: it reports to the forge',
  pattern: 'Another: its previews follow a pattern',
};

const publishings: Choice<Publishing>[] = [
  ['by-people', 'Pull request that people merge'],
  ['automatic', 'Pull request, merged by itself'],
  ['push', 'Straight to the branch'],
];

const publishingHints: Record<Publishing, string> = {
  'by-people': 'Pages go live when somebody on your team merges the pull request.',
  automatic: 'The pull request is merged once its checks have passed.',
  push: 'The branch must take pushes from the service.',
};

interface HostFormProps {
  fields: HostFields;
  change: (changed: Partial<HostFields>) => void;
  /** Whether a secret that opens previews is saved. */
  hasBypass: boolean;
}

/** Asks for a team's own host, and how tasks publish there. */
export function HostForm({ fields, change, hasBypass }: HostFormProps) {
  const { kind, forge, publishing } = fields;
  if (forge === 'none') return null;
  const known = knownOf(fields);
  const bind: Bind = (name) => ({
    value: fields[name],
    spellcheck: false,
    autoComplete: 'off' as const,
    onInput: (value: string) => change({ [name]: value }),
  });
  return (
    <>
      <div class="panes">
        <SelectField<HostKind>
          label="Your host"
          value={kind}
          onChange={(next) =>
            change({ ...noHost, forge, publishing, liveUrl: fields.liveUrl, kind: next })
          }
          choices={kindsAt(forge).map((each) => [each, kindNames[each]])}
          hint={kindHint(kind)}
        />
        <SelectField<Publishing>
          label="How pages go live"
          value={publishing}
          onChange={(next) => change({ publishing: next })}
          choices={publishings}
          hint={publishingHints[publishing]}
        />
      </div>
      <div class="panes">
        {hasName(kind) && (
          <TextField
            label={`Project at ${kindNames[kind]}`}
            hint={`As in ${kind === 'netlify' ? 'acme.netlify.app' : 'acme.pages.dev'}: acme`}
            placeholder="acme"
            {...bind('name')}
          />
        )}
        {kind === 'pattern' && (
          <TextField
            label="Address of previews"
            hint="{branch} or {pullRequest} stands for the task’s."
            placeholder="https://{branch}.preview.acme.example"
            {...bind('previewUrl')}
          />
        )}
        <TextField
          label={
            isNeeded(kind) ? 'Address of the live site' : 'Address of the live site (optional)'
          }
          type="url"
          placeholder={known.liveUrl ?? 'https://www.acme.example'}
          hint="As visitors see it."
          {...bind('liveUrl')}
        />
      </div>
      <Details fields={fields} change={change} bind={bind} hasBypass={hasBypass} />
    </>
  );
}

const isNeeded = (kind: HostKind) => ['reports', 'github-pages'].includes(kind);

function kindHint(kind: HostKind): string {
  if (kind === 'github-pages')
    return 'GitHub Pages has no previews: pages are only seen once they are live.';
  if (kind === 'vercel')
    return 'Vercel builds only commits of authors who are members of its team.';
  if (kind === 'pattern') return 'The service looks where the pattern says.';
  return 'Each task gets a preview of its own.';
}

/** A field that is typed. */
type Bind = (
  name: Exclude<keyof HostFields, 'hasPreviews'>,
) => Pick<Parameters<typeof TextField>[0], 'value' | 'onInput'>;

interface DetailsProps extends HostFormProps {
  bind: Bind;
}

const buildsBranches: Choice<'yes' | 'no'>[] = [
  ['yes', 'Yes: tasks wait for their previews'],
  ['no', 'No: tasks have no previews'],
];

/** What most teams need not change. */
function Details({ fields, change, bind, hasBypass }: DetailsProps) {
  const known = knownOf(fields);
  return (
    <details class="more-fields">
      <summary>More about the host</summary>
      <div class="stack">
        <TextField
          label="Hosts to believe"
          hint="Only addresses there count as previews or live pages. *.acme.example means all below it."
          placeholder={known.hosts.join(', ') || '*.acme.example'}
          {...bind('hosts')}
        />
        {fields.kind !== 'pattern' && (
          <TextField
            label="Address of previews"
            hint="With {branch} or {pullRequest}. Left out: as the host reports it."
            placeholder={known.previewUrl ?? 'As reported'}
            {...bind('previewUrl')}
          />
        )}
        <TextField
          label="Who reports"
          hint="The login at the forge whose reports count. Left out: anybody’s."
          placeholder={known.reporter ?? 'Anybody'}
          {...bind('reporter')}
        />
        <TextField
          label="Names of previews’ reports"
          hint="Environments, statuses or checks, with commas."
          placeholder="Any"
          {...bind('previewReports')}
        />
        <div class="panes">
          <TextField
            label="Secret that opens previews"
            type="password"
            hint="Where previews ask for a login. It is kept encrypted and never shown again."
            placeholder={hasBypass ? 'As it is saved' : 'None'}
            {...bind('bypassValue')}
            autoComplete="off"
          />
          <TextField
            label="Header field of the secret"
            placeholder={known.bypassHeader || 'None'}
            {...bind('bypassHeader')}
          />
        </div>
        {fields.kind !== 'github-pages' && (
          <SelectField<'yes' | 'no'>
            label="Does it build branches?"
            choices={buildsBranches}
            value={fields.hasPreviews ? 'yes' : 'no'}
            onChange={(answer) => change({ hasPreviews: answer === 'yes' })}
          />
        )}
        <div class="panes">
          <TextField
            label="Address of the forge’s API"
            type="url"
            placeholder="As the repository’s address tells"
            {...bind('apiUrl')}
          />
          <TextField
            label="Minutes to wait for a build"
            placeholder="10"
            {...bind('buildMinutes')}
          />
        </div>
      </div>
    </details>
  );
}

/** Says what is left to be typed. */
export const HostMissing = ({ fields }: { fields: HostFields }) => {
  const missing = missingIn(fields);
  return missing === undefined ? null : <p class="muted small">{missing}</p>;
};

interface HostAnswersProps {
  check: HostCheck;
  /** Believes one more host. */
  believe: (host: string) => void;
}

/** What the check of a host found, with a deployment of the past as proof. */
export function HostAnswers({ check, believe }: HostAnswersProps) {
  const { problems, warnings, reports, hosts, proof } = check;
  const isSeen = proof !== null && proof.status >= 200 && proof.status < 300;
  return (
    <>
      {problems.length === 0 && <Found is="good">The forge lets the service work</Found>}
      {problems.map(({ message }) => (
        <Found is="bad" key={message}>
          {message}
        </Found>
      ))}
      {isSeen && (
        <Found is="good">
          {proof.commit === null ? 'The live site answers' : 'A deployment of the past answers'}:{' '}
          <ProofLink {...proof} />
        </Found>
      )}
      {warnings.map(({ code, message }) => (
        <Found is="warn" key={message}>
          {message}
          {code === 'hosts' && <Believable hosts={hosts} believe={believe} />}
        </Found>
      ))}
      {reports.length > 0 && (
        <Found is="">
          Reported so far: {reports.slice(0, 5).map(reportWords).join(', ')}
          {reports.length > 5 && ` and ${reports.length - 5} more`}
        </Found>
      )}
    </>
  );
}

const Believable = ({
  hosts,
  believe,
}: { hosts: string[] } & Pick<HostAnswersProps, 'believe'>) => (
  <span class="row">
    {hosts.slice(0, 5).map((host) => (
      <Button key={host} little icon="plus" onClick={() => believe(host)}>
        {`Believe ${host}`}
      </Button>
    ))}
  </span>
);

const reportWords = ({ name, creator }: HostCheck['reports'][number]) =>
  creator === null ? name : `${name} by ${creator}`;

function ProofLink({ url, title }: { url: string; title: string | null }) {
  const href = webAddress(url);
  const text = title ?? hostOf(url);
  return href ? <Out href={href}>{text}</Out> : <>{text}</>;
}

const icons = { good: 'check', bad: 'alert', warn: 'alert', '': 'info' } as const;

/** A line of what a check found. */
export const Found = ({
  is,
  children,
}: {
  is: keyof typeof icons;
  children: ComponentChildren;
}) => (
  <li class={`found ${is}`}>
    <Icon name={icons[is]} size={16} /> <span>{children}</span>
  </li>
);
