import type { ComponentChildren } from 'preact';
import type { HostCheck } from '../../../../contract/responses.ts';
import type { ForgeKind } from '../../../../contract/site.ts';
import { hostOfUrl } from '../../livePageUrl.ts';
import {
  forgeNames,
  hasProjectName,
  type HostFields,
  type HostKind,
  kindsAt,
  defaultsOfHost,
  missingHostField,
  noHost,
  type PublishingMethod,
} from '../../externalHost.ts';
import {
  Button,
  type SelectChoice,
  OutsideLink,
  SelectField,
  TextField,
} from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { openableUrl } from '../../openableUrl.ts';

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
      ...forges.map((forge): SelectChoice<ForgeKind> => [
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

const publishings: SelectChoice<PublishingMethod>[] = [
  ['by-people', 'Pull request that people merge'],
  ['automatic', 'Pull request, merged by itself'],
  ['push', 'Straight to the branch'],
];

const publishingHints: Record<PublishingMethod, string> = {
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
  const defaults = defaultsOfHost(fields);
  const bindField: FieldBinder = (name) => ({
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
          onChange={(chosenValue) =>
            change({ ...noHost, forge, publishing, liveUrl: fields.liveUrl, kind: chosenValue })
          }
          choices={kindsAt(forge).map((hostKind) => [hostKind, kindNames[hostKind]])}
          hint={kindHint(kind)}
        />
        <SelectField<PublishingMethod>
          label="How pages go live"
          value={publishing}
          onChange={(chosenValue) => change({ publishing: chosenValue })}
          choices={publishings}
          hint={publishingHints[publishing]}
        />
      </div>
      <div class="panes">
        {hasProjectName(kind) && (
          <TextField
            label={`Project at ${kindNames[kind]}`}
            hint={`As in ${kind === 'netlify' ? 'acme.netlify.app' : 'acme.pages.dev'}: acme`}
            placeholder="acme"
            {...bindField('name')}
          />
        )}
        {kind === 'pattern' && (
          <TextField
            label="Address of previews"
            hint="{branch} or {pullRequest} stands for the task’s."
            placeholder="https://{branch}.preview.acme.example"
            {...bindField('previewUrl')}
          />
        )}
        <TextField
          label={
            isLiveUrlNeeded(kind)
              ? 'Address of the live site'
              : 'Address of the live site (optional)'
          }
          type="url"
          placeholder={defaults.liveUrl ?? 'https://www.acme.example'}
          hint="As visitors see it."
          {...bindField('liveUrl')}
        />
      </div>
      <HostDetails fields={fields} change={change} bind={bindField} hasBypass={hasBypass} />
    </>
  );
}

const isLiveUrlNeeded = (kind: HostKind) => ['reports', 'github-pages'].includes(kind);

function kindHint(kind: HostKind): string {
  if (kind === 'github-pages')
    return 'GitHub Pages has no previews: pages are only seen once they are live.';
  if (kind === 'vercel')
    return 'Vercel builds only commits of authors who are members of its team.';
  if (kind === 'pattern') return 'The service looks where the pattern says.';
  return 'Each task gets a preview of its own.';
}

/** A field that is typed. */
type FieldBinder = (
  name: Exclude<keyof HostFields, 'hasPreviews'>,
) => Pick<Parameters<typeof TextField>[0], 'value' | 'onInput'>;

interface HostDetailsProps extends HostFormProps {
  bind: FieldBinder;
}

const buildsBranches: SelectChoice<'yes' | 'no'>[] = [
  ['yes', 'Yes: tasks wait for their previews'],
  ['no', 'No: tasks have no previews'],
];

/** What most teams need not change. */
function HostDetails({ fields, change, bind: bindField, hasBypass }: HostDetailsProps) {
  const defaults = defaultsOfHost(fields);
  return (
    <details class="more-fields">
      <summary>More about the host</summary>
      <div class="stack">
        <TextField
          label="Hosts to believe"
          hint="Only addresses there count as previews or live pages. *.acme.example means all below it."
          placeholder={defaults.hosts.join(', ') || '*.acme.example'}
          {...bindField('hosts')}
        />
        {fields.kind !== 'pattern' && (
          <TextField
            label="Address of previews"
            hint="With {branch} or {pullRequest}. Left out: as the host reports it."
            placeholder={defaults.previewUrl ?? 'As reported'}
            {...bindField('previewUrl')}
          />
        )}
        <TextField
          label="Who reports"
          hint="The login at the forge whose reports count. Left out: anybody’s."
          placeholder={defaults.reporter ?? 'Anybody'}
          {...bindField('reporter')}
        />
        <TextField
          label="Names of previews’ reports"
          hint="Environments, statuses or checks, with commas."
          placeholder="Any"
          {...bindField('previewReports')}
        />
        <div class="panes">
          <TextField
            label="Secret that opens previews"
            type="password"
            hint="Where previews ask for a login. It is kept encrypted and never shown again."
            placeholder={hasBypass ? 'As it is saved' : 'None'}
            {...bindField('bypassValue')}
            autoComplete="off"
          />
          <TextField
            label="Header field of the secret"
            placeholder={defaults.bypassHeader || 'None'}
            {...bindField('bypassHeader')}
          />
        </div>
        {fields.kind !== 'github-pages' && (
          <SelectField<'yes' | 'no'>
            label="Does it build branches?"
            choices={buildsBranches}
            value={fields.hasPreviews ? 'yes' : 'no'}
            onChange={(chosenAnswer) => change({ hasPreviews: chosenAnswer === 'yes' })}
          />
        )}
        <div class="panes">
          <TextField
            label="Address of the forge’s API"
            type="url"
            placeholder="As the repository’s address tells"
            {...bindField('apiUrl')}
          />
          <TextField
            label="Minutes to wait for a build"
            placeholder="10"
            {...bindField('buildMinutes')}
          />
        </div>
      </div>
    </details>
  );
}

/** Says what is left to be typed. */
export const HostMissing = ({ fields }: { fields: HostFields }) => {
  const missingField = missingHostField(fields);
  return missingField === undefined ? null : <p class="muted small">{missingField}</p>;
};

interface HostAnswersProps {
  check: HostCheck;
  /** Believes one more host. */
  believe: (host: string) => void;
}

/** What the check of a host found, with a deployment of the past as proof. */
export function HostCheckResults({ check, believe }: HostAnswersProps) {
  const { problems, warnings, reports, hosts, proof } = check;
  const isSeen = proof !== null && proof.status >= 200 && proof.status < 300;
  return (
    <>
      {problems.length === 0 && (
        <CheckResultLine is="good">The forge lets the service work</CheckResultLine>
      )}
      {problems.map(({ message }) => (
        <CheckResultLine is="bad" key={message}>
          {message}
        </CheckResultLine>
      ))}
      {isSeen && (
        <CheckResultLine is="good">
          {proof.commit === null ? 'The live site answers' : 'A deployment of the past answers'}:{' '}
          <ProofLink {...proof} />
        </CheckResultLine>
      )}
      {warnings.map(({ code, message }) => (
        <CheckResultLine is="warn" key={message}>
          {message}
          {code === 'hosts' && <Believable hosts={hosts} believe={believe} />}
        </CheckResultLine>
      ))}
      {reports.length > 0 && (
        <CheckResultLine is="">
          Reported so far: {reports.slice(0, 5).map(reportWords).join(', ')}
          {reports.length > 5 && ` and ${reports.length - 5} more`}
        </CheckResultLine>
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
  const href = openableUrl(url);
  const linkText = title ?? hostOfUrl(url);
  return href ? <OutsideLink href={href}>{linkText}</OutsideLink> : <>{linkText}</>;
}

const resultIcons = { good: 'check', bad: 'alert', warn: 'alert', '': 'info' } as const;

/** A line of what a check found. */
export const CheckResultLine = ({
  is,
  children,
}: {
  is: keyof typeof resultIcons;
  children: ComponentChildren;
}) => (
  <li class={`found ${is}`}>
    <Icon name={resultIcons[is]} size={16} /> <span>{children}</span>
  </li>
);
