import { invalidInput } from '../invalidInput.ts';
import { readTarget } from '../pages/servedPaths.ts';
import { editRedirectLines } from './editRedirectLines.ts';
import { HOST_FILE_BYTES } from './hostFileNames.ts';
import { readRedirects } from './readRedirects.ts';
import { type FindRedirect, indexRedirects } from './redirects.ts';
import { addressKey, type AddressChange, type Lead } from './planRedirects.ts';

/** A host's file with its redirects. `source`: '' for a new file. */
export interface HostFile {
  path: string;
  source: string;
}

export interface EditedRedirects {
  source: string;
  /** Old addresses that another rule of the file leads elsewhere, or in a circle. */
  unresolved: string[];
}

/**
 * Leads old addresses on in a `_redirects` file: see `planRedirects`. The result is read again as
 * the host reads it. What would go in circles there is not written.
 * @param without lines to take out too, without their ends
 * @throws DomainError INVALID_INPUT if the file can't be changed, as the end of a sentence
 */
export function editRedirects(
  { source }: HostFile,
  change: AddressChange,
  without?: ReadonlySet<string>,
): EditedRedirects {
  const edit = (leads: Lead[]) => editRedirectLines(source, { ...change, leads }, without);
  const find = (edited: string) => indexRedirects(readRedirects(edited));
  const first = find(edit(change.leads));
  const round = change.leads.filter((lead) => goesRound(first, lead));
  const straight = change.leads.filter((lead) => !round.includes(lead));
  const edited = edit(straight);
  if (Buffer.byteLength(edited) > HOST_FILE_BYTES)
    throw invalidInput(`it would have more than ${HOST_FILE_BYTES} bytes`);
  const led = find(edited);
  const isLost = (address: string, to: string) =>
    !isAt(locationOf(led, address), to) && !isAt(locationOf(led, address), `${to}.html`);
  const lost = straight.flatMap(({ from, to }) => from.filter((address) => isLost(address, to)));
  return { source: edited, unresolved: [...round.flatMap(({ from }) => from), ...lost] };
}

function locationOf(find: FindRedirect, address: string): string | undefined {
  const target = readTarget(address);
  return target ? find(target)?.location : undefined;
}

const isAt = (location: string | undefined, to: string) =>
  location !== undefined && addressKey(location) === addressKey(to);

/** Far more redirects than a browser follows. */
const MOST_HOPS = 30;

/** Whether rules lead from the new address back to an old one, or never to an end. */
function goesRound(find: FindRedirect, { from, to }: Lead): boolean {
  const old = new Set(from.map(addressKey));
  let at: string | undefined = to;
  for (let hops = 0; hops < MOST_HOPS; hops++) {
    at = locationOf(find, at);
    if (!at?.startsWith('/')) return false;
    if (old.has(addressKey(at))) return true;
  }
  return true;
}
