/**
 * Elements that new markup may have, with the attributes of each beside the global ones. None of
 * them runs code, loads anything but the site's images, or belongs to the site's chrome.
 */
const text =
  'p strong em b i u s small mark sub sup abbr code pre kbd samp var span bdi bdo br hr wbr';
const blocks =
  'section article div hgroup h2 h3 h4 h5 h6 ul dl dt dd figure figcaption address summary';
const table = 'table caption thead tbody tfoot tr';
const withAttributes: Record<string, string> = {
  a: 'href hreflang rel target',
  img: 'src alt width height loading decoding',
  ol: 'start reversed type',
  li: 'value',
  blockquote: 'cite',
  q: 'cite',
  time: 'datetime',
  ins: 'cite datetime',
  del: 'cite datetime',
  details: 'open',
  col: 'span',
  colgroup: 'span',
  td: 'colspan rowspan headers',
  th: 'colspan rowspan headers scope abbr',
};
const plain: [string, string][] = `${text} ${blocks} ${table}`.split(' ').map((name) => [name, '']);
const elements = new Map(
  [...plain, ...Object.entries(withAttributes)].map(([name, attributes]) => [
    name,
    new Set(attributes.split(' ')),
  ]),
);
const everywhere = new Set('class id lang dir title role'.split(' '));

export const voids = new Set(['br', 'hr', 'wbr', 'img', 'col']);

export const isAllowedElement = (name: string) => elements.has(name);
export const isAllowedAttribute = (element: string, name: string) =>
  everywhere.has(name) ||
  /^aria-[a-z]{2,30}$/.test(name) ||
  (elements.get(element)?.has(name) ?? false);

export const allowedElements = [...elements.keys()].sort().join(' ');

/**
 * Names of objects that scripts use. An element with such an id could replace the object ("DOM
 * clobbering"). Names with capitals are always refused.
 */
const taken = new Set(
  `alert all anchors app applets api atob attributes blur body bind caches call children clear close closed config console
   confirm constructor cookie crypto data dataset debug default define dir document domain element embeds env event exports
   external fetch find focus form forms frames ga global gtag head history host hostname href hj id images init innerhtml
   jquery length lang layout links loader location locationbar menubar method module name navigator node
   open opener options origin parent performance personalbar plugins print process prompt prototype referrer remove
   require root screen scripts scroll scrollbars self settings state status statusbar stop store style submit target
   title toolbar top url user value window write writeln reset action elements self script nonce
   i18n analytics then tostring valueof`
    .split(/\s+/)
    .filter(Boolean),
);
export const isFreeName = (id: string) =>
  /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(id) && id.length <= 64 && !taken.has(id);
