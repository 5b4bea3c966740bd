import { isIP } from 'node:net';
import { parse } from 'tldts';
import { DomainError } from '../errors.ts';
import { parseUrl } from '../contract/text/parseUrl.ts';

/** The rules for the URLs that an external host's settings and reports may have. */
export interface AddressRules {
  /** Whether ports, internal names, IP addresses and http are allowed, for tests on one machine. */
  allowPrivate: boolean;
  /**
   * Parses a URL by the rules for callback URLs, and refuses the service's own hosts.
   * @throws DomainError with a reason
   */
  checkUrl: (url: string) => URL;
}

/** Values for the placeholders, to check a URL with. A task's id has 25 characters. */
const SAMPLE = { '{branch}': 'bg-0123456789abcdefghijkl', '{pullRequest}': '1234567' };

/** What is wrong with a URL, as a text that follows the field's name. undefined: nothing. */
type AddressProblem = string | undefined;

/**
 * Reads a believed host, one whose URLs in reports the team trusts: a name, or `*.name` for all its
 * subdomains.
 * @returns the host as `URL` spells it, or what is wrong with it
 */
export function readBelievedHost(
  givenHost: string,
  rules: AddressRules,
): { host: string } | { problem: string } {
  const isWildcard = givenHost.startsWith('*.');
  const hostName = isWildcard ? givenHost.slice(2) : givenHost;
  const allowedForm = rules.allowPrivate ? /^[^\s/?#@*\\]+$/u : /^[^\s/?#@*\\:[\]]+$/u;
  if (!allowedForm.test(hostName))
    return { problem: 'must be a host name such as pages.example, or *.pages.example' };
  const parsedUrl = parseByRules(rules, `https://${hostName}/`);
  if (typeof parsedUrl === 'string')
    return { problem: `must be a host name of the public internet: ${parsedUrl}` };
  if (!rules.allowPrivate && isIP(parsedUrl.hostname.replace(/^\[|\]$/g, '')))
    return { problem: 'must be a host name, not an IP address' };
  if (
    isWildcard &&
    !rules.allowPrivate &&
    parse(parsedUrl.hostname).publicSuffix === parsedUrl.hostname
  )
    return { problem: `must not be all of *.${parsedUrl.hostname}: add your own domain to it` };
  return { host: isWildcard ? `*.${parsedUrl.host}` : parsedUrl.host };
}

/** Whether anybody can get a subdomain of one of the hosts, such as of `*.vercel.app`. */
export const areShared = (hosts: string[]): boolean =>
  hosts.some((host) => {
    if (!host.startsWith('*.')) return false;
    const { publicSuffix } = parse(host.slice(2), { allowPrivateDomains: true });
    return publicSuffix === host.slice(2);
  });

/** Whether a URL's host is among the believed ones. */
const isHostAmong = (hosts: string[], { host }: URL) =>
  hosts.some((knownHost) =>
    knownHost.startsWith('*.') ? host.endsWith(knownHost.slice(1)) : host === knownHost,
  );

/**
 * Whether to request a URL from a report and return it to clients. Anyone who may push can report a
 * URL, so only those at the hosts that the team named count.
 */
export function isBelieved({ hosts }: { hosts: string[] }, text: string): boolean {
  const url = parseUrl(text);
  return url?.protocol === 'https:' && !url.username && !url.password && isHostAmong(hosts, url);
}

interface TemplateRules extends AddressRules {
  /** The believed hosts. */
  hosts: string[];
  /** The placeholders that the template may contain. */
  placeholders: (keyof typeof SAMPLE)[];
}

/** Checks the URL of previews, which has placeholders, or that of the live site. */
export function templateProblem(template: string, rules: TemplateRules): AddressProblem {
  const { placeholders, hosts } = rules;
  const sample = placeholders.reduce<string>(
    (text, hostName) => text.replaceAll(hostName, SAMPLE[hostName]),
    template,
  );
  const allowedText = placeholders.join(' or ');
  if (/[{}]/.test(sample))
    return allowedText === ''
      ? 'must not have anything in braces'
      : `must have only ${allowedText} in braces`;
  if (placeholders.length > 0 && sample === template)
    return `must contain ${allowedText}, because each task has its own preview`;
  const url = parseByRules(rules, sample);
  if (typeof url === 'string') return `must be an https URL: ${url}`;
  if (/[?#]/.test(template)) return 'must have no query and no fragment';
  if (url.hostname.split('.').some((label) => label.length > 63))
    return `must leave room for a task ID of ${SAMPLE['{branch}'].length} characters, because a label of a host name has at most 63`;
  if (!isHostAmong(hosts, url)) return 'must have a host that is in host.hosts';
  return undefined;
}

function parseByRules({ checkUrl }: AddressRules, text: string): URL | string {
  try {
    return checkUrl(text);
  } catch (error) {
    if (error instanceof DomainError) return error.reason ?? 'it is not a URL';
    throw error;
  }
}
