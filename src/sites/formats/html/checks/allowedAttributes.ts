import { attributeName, attributeOf, type PageElement } from '../document.ts';
import { isAlwaysCode } from './findCode.ts';
import { sourcePosition } from './sourcePosition.ts';
import type { SourcePosition } from '../../pageFindings.ts';

/**
 * Attributes that a change may add to any element; URLs in them are checked apart. Excluded are
 * attributes that run or control scripts (`on…`, `data-…`, `is`, `nonce`, `async`), that send
 * requests (`ping`, `attributionsrc`), or that give rights to frames (`allow`).
 */
const htmlAttributes = `
  class id title lang dir hidden role style tabindex translate spellcheck draggable inert slot part accesskey autofocus
  enterkeyhint inputmode autocapitalize autocorrect popover popovertarget popovertargetaction itemscope itemprop
  itemtype itemid itemref property typeof about resource vocab prefix datatype content
  href hreflang target rel download type media referrerpolicy crossorigin integrity as sizes
  src srcset imagesrcset imagesizes alt width height loading decoding fetchpriority usemap ismap shape coords
  poster controls autoplay loop muted playsinline preload kind srclang default label data
  cite datetime start reversed value open colspan rowspan scope headers abbr span
  for name placeholder action method enctype accept accept-charset novalidate required min max step pattern minlength
  maxlength multiple checked disabled readonly selected list size rows cols wrap autocomplete form formaction formmethod
  formenctype formnovalidate formtarget dirname low high optimum
  allowfullscreen frameborder scrolling sandbox marginwidth marginheight
  align valign bgcolor background border cellpadding cellspacing nowrap rules frame summary color face clear hspace
  vspace compact noshade`;
const svgAttributes = `
  alignment-baseline baseline-shift clip clip-path clip-rule color-interpolation color-interpolation-filters cursor
  direction display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity font-family font-size
  font-stretch font-style font-variant font-weight image-rendering letter-spacing lighting-color marker-end marker-mid
  marker-start mask mask-type opacity overflow paint-order pointer-events shape-rendering stop-color stop-opacity stroke
  stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
  text-anchor text-decoration text-rendering transform transform-origin unicode-bidi vector-effect visibility
  word-spacing writing-mode
  d cx cy r rx ry x y z x1 x2 y1 y2 dx dy fx fy fr points pathLength viewBox preserveAspectRatio version baseProfile
  focusable enable-background gradientUnits gradientTransform spreadMethod offset patternUnits patternContentUnits
  patternTransform clipPathUnits maskUnits maskContentUnits markerWidth markerHeight markerUnits refX refY orient
  textLength lengthAdjust rotate startOffset spacing side xlink:href xlink:title xml:space xml:lang xmlns
  in in2 result stdDeviation mode operator k1 k2 k3 k4 tableValues slope intercept amplitude exponent baseFrequency
  numOctaves seed stitchTiles scale xChannelSelector yChannelSelector radius order kernelMatrix divisor bias targetX
  targetY edgeMode preserveAlpha surfaceScale specularExponent specularConstant diffuseConstant azimuth elevation
  pointsAtX pointsAtY pointsAtZ limitingConeAngle filterUnits primitiveUnits
  attributeName begin dur end repeatCount repeatDur from to by values calcMode keyTimes keySplines keyPoints additive
  accumulate path restart`;
const commonAttributes = new Set(`${htmlAttributes} ${svgAttributes}`.split(/\s+/));

/**
 * Keys of `meta` attributes that a change may add. They control how browsers read the page, so the
 * keys include the value.
 */
const metaValues =
  /^meta (http-equiv="(refresh|content-type|x-ua-compatible|)"|charset="utf-8"|content="(text\/html; ?charset=utf-8|ie=[a-z0-9]+|[a-z]{2,3}(-[a-z0-9]{2,8}){0,3})")$/;

/**
 * The first place of each pair of element and attribute: `img alt`. Some keys of `meta` include the
 * value.
 */
export function findAttributes(elements: PageElement[]): Map<string, SourcePosition> {
  const places = new Map<string, SourcePosition>();
  for (const element of elements)
    for (const attribute of element.attrs) {
      if (isAlwaysCode(attribute.name)) continue;
      const name = attributeName(attribute);
      const key = `${element.tagName} ${name}${attributeValueKey(element, name, attribute.value)}`;
      if (!places.has(key)) places.set(key, sourcePosition(element, name));
    }
  return places;
}

function attributeValueKey(element: PageElement, name: string, value: string): string {
  if (element.tagName !== 'meta') return '';
  const isRule = !['', 'refresh'].includes(
    (attributeOf(element, 'http-equiv') ?? '').trim().toLowerCase(),
  );
  const hasValueInKey =
    name === 'http-equiv' || name === 'charset' || (name === 'content' && isRule);
  return hasValueInKey ? `="${value.trim().toLowerCase()}"` : '';
}

/**
 * Whether a change may add an attribute that no such element of the page had before. The name of an
 * image would hide a property of `document` from scripts, such as `getElementById`.
 * @param key a key of `findAttributes`: `img alt`
 */
export function mayAddAttribute(key: string): boolean {
  const attribute = attributeOfKey(key);
  return (
    (commonAttributes.has(attribute) && key !== 'img name') ||
    /^(aria-|xmlns:)[a-z]+$/.test(attribute) ||
    metaValues.test(key)
  );
}

export const attributeOfKey = (key: string) => key.slice(key.indexOf(' ') + 1);
