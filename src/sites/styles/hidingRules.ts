import { LRUCache } from 'lru-cache';
import { parse, type Container, type Rule } from 'postcss';
import { getOrCreate } from '../remembered.ts';

/** A rule of a style sheet that hides elements on a screen. */
export interface HidingRule {
  selector: string;
  /** The media queries around it; '' for a rule that always applies. */
  condition: string;
}

const MAX_KEPT_CHARACTERS = 2_000_000;
const rulesBySheet = new LRUCache<string, HidingRule[]>({
  maxSize: MAX_KEPT_CHARACTERS,
  sizeCalculation: (_, sheet) => sheet.length + 1,
});

/** Finds the rules that hide elements. A sheet that cannot be parsed has none. */
export const findHidingRules = (sheet: string): HidingRule[] =>
  getOrCreate<string, HidingRule[]>(rulesBySheet, sheet, () => collectRules(sheet));

function collectRules(sheet: string): HidingRule[] {
  const rules: HidingRule[] = [];
  try {
    const root = parse(sheet, { map: false });
    const customValues = new Map<string, string>();
    root.walkDecls(/^--/, ({ prop, value }) => void customValues.set(prop, value));
    root.walkRules((rule) => {
      const condition = conditionOf(rule);
      if (condition === undefined || !hidesElements(declarationsOf(rule, customValues))) return;
      rules.push(
        ...rule.selectors.map((selector) => ({ selector: nest(rule, selector), condition })),
      );
    });
  } catch {
    // browsers skip what they cannot read, and a check of style sheets refuses it
  }
  return rules;
}

/** The declarations of a rule, by property in lower case. A variable counts as its last value. */
export function declarationsOf(
  rule: Container,
  customValues: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const declarations = new Map<string, string>();
  for (const node of rule.nodes ?? []) {
    if (node.type !== 'decl') continue;
    const variable = /^var\(\s*(--[\w-]+)/.exec(node.value)?.[1];
    const value = variable === undefined ? node.value : (customValues.get(variable) ?? '');
    declarations.set(node.prop.toLowerCase(), value.trim().toLowerCase());
  }
  return declarations;
}

/** The media queries around a rule; undefined for print, and for a step of an animation. */
function conditionOf(rule: Rule): string | undefined {
  const queries: string[] = [];
  for (let outer = rule.parent; outer && outer.type !== 'root'; outer = outer.parent as never) {
    if (outer.type !== 'atrule') continue;
    const { name, params } = outer as never as { name: string; params: string };
    if (/keyframes$/i.test(name)) return undefined;
    if (name.toLowerCase() !== 'media') continue;
    const media = params.toLowerCase().split(',');
    if (media.every((query) => /^\s*(?:only\s+)?(?:print|speech)\b/.test(query))) return undefined;
    if (!media.some((query) => ['', 'all', 'screen'].includes(query.trim()))) queries.push(params);
  }
  return queries.join(' and ');
}

/** The selector of a rule in another rule. */
function nest({ parent }: Rule, selector: string): string {
  if (parent?.type !== 'rule') return selector;
  const outer = nest(parent, parent.selectors[0] ?? '');
  return selector.includes('&') ? selector.replaceAll('&', outer) : `${outer} ${selector}`;
}

/** Whether declarations hide an element from readers: `display: none`, or a place out of sight. */
export function hidesElements(declarations: ReadonlyMap<string, string>): boolean {
  const valueOf = (name: string) => (declarations.get(name) ?? '').replace('!important', '').trim();
  if (
    valueOf('display') === 'none' ||
    ['hidden', 'collapse'].includes(valueOf('visibility')) ||
    valueOf('content-visibility') === 'hidden'
  )
    return true;
  // elements that an animation shows begin like this
  const animation = valueOf('animation') || valueOf('animation-name');
  if (animation !== '' && animation !== 'none') return false;
  return isTransparent(valueOf) || isWithoutSize(valueOf) || isOutOfSight(valueOf);
}

type ValueReader = (property: string) => string;

const MIN_OPACITY = 0.1;

function isTransparent(valueOf: ValueReader): boolean {
  const opacity = valueOf('opacity') || /opacity\(([^)]*)\)/.exec(valueOf('filter'))?.[1] || '1';
  const color = valueOf('color');
  return (
    parseFloat(opacity) / (opacity.includes('%') ? 100 : 1) < MIN_OPACITY ||
    color === 'transparent' ||
    /^(?:rgb|hsl)a?\(.*[,/]\s*0(?:\.0*)?%?\s*\)$/.test(color)
  );
}

function isWithoutSize(valueOf: ValueReader): boolean {
  const isZero = (name: string) => parseFloat(valueOf(name)) === 0;
  return (
    ['font-size', 'zoom', 'scale'].some(isZero) ||
    /scale\w*\(\s*0(?:\.0*)?\s*[,)]/.test(valueOf('transform')) ||
    (/hidden|clip/.test(valueOf('overflow')) &&
      ['height', 'max-height', 'width', 'max-width'].some(
        (name) => isZero(name) || valueOf(name) === '1px',
      ))
  );
}

/** The smallest lengths by which something is moved out of the window, by their units. */
const farLengths: Record<string, number> = { px: 400, em: 25, rem: 25, '%': 100, vw: 80, vh: 80 };

function isOutOfSight(valueOf: ValueReader): boolean {
  const isFar = (name: string) =>
    [...valueOf(name).matchAll(/-(\d+(?:\.\d+)?)(px|r?em|%|v[wh])/g)].some(
      ([, length, unit]) => Number(length) >= farLengths[unit!]!,
    );
  const isOutOfFlow = ['absolute', 'fixed'].includes(valueOf('position'));
  return (
    ['text-indent', 'margin-left', 'margin-top', 'transform', 'translate'].some(isFar) ||
    /^(?:inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0)/.test(valueOf('clip-path')) ||
    (isOutOfFlow &&
      (valueOf('clip').startsWith('rect(') ||
        ['left', 'right', 'top', 'bottom', 'inset'].some(isFar)))
  );
}
