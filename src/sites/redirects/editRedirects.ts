import { invalidInput } from '../invalidInput.ts';
import { readTarget } from '../pages/urls/servedPaths.ts';
import { editRedirectLines } from './editRedirectLines.ts';
import { HOST_FILE_BYTES } from './hostFileNames.ts';
import { readRedirects } from './readRedirects.ts';
import { type RedirectFinder, indexRedirects } from './redirects.ts';
import { addressKey, type AddressChange, type PageRedirect } from './planRedirects.ts';

/** The host's file with the site's redirects. `source`: '' for a new file. */
export interface HostFile {
  path: string;
  source: string;
}

export interface EditedRedirects {
  /** The file's new text. */
  source: string;
  /** Old URL paths that another rule leads elsewhere, or whose redirect would be circular. */
  missingRedirects: string[];
}

/**
 * Redirects old URL paths in a `_redirects` file: see `planRedirects`. Then reads the result as the
 * host does, and leaves out redirects that would go in circles.
 * @param droppedLines more lines to remove, without their line ends
 * @throws DomainError INVALID_INPUT if the file can't be changed, as the end of a sentence
 */
export function editRedirects(
  { source }: HostFile,
  change: AddressChange,
  droppedLines?: ReadonlySet<string>,
): EditedRedirects {
  const writeRedirects = (redirects: PageRedirect[]) =>
    editRedirectLines(source, { ...change, leads: redirects }, droppedLines);
  const indexSource = (editedSource: string) => indexRedirects(readRedirects(editedSource));
  const fullIndex = indexSource(writeRedirects(change.leads));
  const circularLeads = change.leads.filter((lead) => isCircular(fullIndex, lead));
  const straightLeads = change.leads.filter((lead) => !circularLeads.includes(lead));
  const editedSource = writeRedirects(straightLeads);
  if (Buffer.byteLength(editedSource) > HOST_FILE_BYTES)
    throw invalidInput(`it would be larger than ${HOST_FILE_BYTES} bytes`);
  const editedIndex = indexSource(editedSource);
  const isLost = (address: string, to: string) =>
    !isSameAddress(findLocation(editedIndex, address), to) &&
    !isSameAddress(findLocation(editedIndex, address), `${to}.html`);
  const lostAddresses = straightLeads.flatMap(({ from, to }) =>
    from.filter((address) => isLost(address, to)),
  );
  return {
    source: editedSource,
    missingRedirects: [...circularLeads.flatMap(({ from }) => from), ...lostAddresses],
  };
}

function findLocation(find: RedirectFinder, address: string): string | undefined {
  const target = readTarget(address);
  return target ? find(target)?.location : undefined;
}

const isSameAddress = (location: string | undefined, to: string) =>
  location !== undefined && addressKey(location) === addressKey(to);

/** Far more redirects than a browser follows. */
const MAX_HOPS = 30;

/** Whether rules lead from the new URL path back to an old one, or never end. */
function isCircular(find: RedirectFinder, { from, to }: PageRedirect): boolean {
  const oldKeys = new Set(from.map(addressKey));
  let current: string | undefined = to;
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    current = findLocation(find, current);
    if (!current?.startsWith('/')) return false;
    if (oldKeys.has(addressKey(current))) return true;
  }
  return true;
}
