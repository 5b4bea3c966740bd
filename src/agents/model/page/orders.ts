import { wordSet } from '../../../text/wordLists.ts';
import { factsOf, textSlot } from '../../facts/findFacts.ts';
import { foldWords } from '../../text/fold.ts';

/*
 * Folded words of orders to a writer: English, German, French, Spanish, Portuguese, Italian, Dutch
 * and the Scandinavian languages.
 */

/** Politeness around an order. */
const PLEASE = wordSet(`
  please kindly bitte svp veuillez merci por per favor favore vennligst venligst vanligen graag
  alstublieft note hint hinweis nb important wichtig also always immer toujours siempre sempre`);

/** Verbs that tell a writer what to do. */
const TELLS = wordSet(`
  keep use write make avoid stay address adopt speak sound put limit shorten prefer begin start be
  schreib schreibe schreiben schreibt verwende verwenden verwendet benutze benutzen nutze nutzen halte
  halten haltet vermeide vermeiden formuliere formulieren achte achten sprich sprechen sei seien duze
  duzen sieze siezen kurze kurzen
  ecris ecrivez ecrire redige redigez rediger utilise utilisez utiliser evite evitez eviter garde gardez
  garder adopte adoptez employez employer reste restez rester sois soyez tutoie tutoyez tutoyer vouvoie
  vouvoyez vouvoyer
  escribe escriba escribid escribir usa use usad usar utiliza utilice utilizar evita evite evitar manten
  mantenga mantener trata trate tutea tutee tutear se sea
  escreve escreva escrever utilize mantenha manter seja trate
  scrivi scrivere scriva usare usi mantieni mantenere sii dai
  skriv skrive bruk bruke brug bruge hold holde unnga undga anvand undvik vaer var
  schrijf schrijven gebruik gebruiken houd houden vermijd vermijden wees`);

/** What a text is made of, and how it can be. */
const OF_TEXTS = wordSet(`
  tone voice style wording phrasing copy headline headlines heading headings title subtitle lead intro
  introduction caption captions paragraph paragraphs sentence sentences bullets keyword keywords adjectives
  superlatives jargon buzzwords emoji emojis characters words reader text texts language english short brief
  concise simple friendly formal informal casual professional factual persuasive
  ton tonfall stil uberschrift uberschriften titel einleitung einleitungstext absatz absatze satz satze satzen
  worter wortern zeichen sprache anrede superlative superlativen fachbegriffe leser text texte kurz knapp
  freundlich locker sachlich duzen siezen
  titre titres accroche phrase phrases paragraphe paragraphes mots caracteres style lecteur lecteurs
  superlatifs texte textes langue court courte bref breve amical vouvoyez tutoyez tutoyer vouvoyer
  tono estilo titulo titular parrafo parrafos frase frases palabras caracteres lector texto textos idioma
  corto amable formal
  tom paragrafo paragrafos palavras leitor curto
  titolo paragrafi frasi parole caratteri lettore stile testo testi breve
  tone stil overskrift setning setninger saetning saetninger meningar avsnitt ord tegn tecken leseren
  tekst teksten sprak kort vennlig
  toon stijl kop koppen zin zinnen woorden tekens lezer taal`);

/** Words that make a sentence on a text an order: `the tone should be friendly`. */
const MODALS = wordSet(`
  should must shall has needs soll sollte sollten sollen muss mussen darf durfen doit doivent devrait debe
  deben deberia deve devem devono dovrebbe skal bor ma maste ska moet moeten mag`);

/** Negations at the start of an order. */
const NOT = wordSet(`
  not dont never no avoid nicht nie niemals kein keine keinen keinerlei ne n jamais pas aucun aucune nunca
  ningun ninguna nao nenhum non mai nessun nessuna ikke aldri aldrig inte ingen inga geen niet nooit`);

/** Verbs for what a text says. */
const SAYS = wordSet(`
  mention mentioning say saying name naming write writing state promise promising reveal invent quote cite
  talk talking refer advertise
  erwahne erwahnen erwahnt nenne nennen nennt schreibe schreiben schreibt verwende verwenden benutze benutzen
  versprich versprechen erfinde erfinden
  mentionne mentionnez mentionner parle parlez parler cite citez citer dis dites dire utilise utilisez utiliser
  nomme nommez nommer evoque evoquez evoquer promets promettez promettre
  menciones mencione mencionar mencionen hables hable hablar digas diga decir uses use usar cites citar nombres
  nombre nombrar prometas prometa prometer
  mencionar mencione fale falar diga dizer citar escreva escrever prometa
  menzionare menziona parlare parlarne citare dire usare scrivere nominare promettere
  nevn nevne naevn naevne namn namnge skriv skrive bruk bruke brug bruge omtal omtale si sig lov love
  noem noemen vermeld vermelden gebruik gebruiken schrijf schrijven beloof`);

/** Limits of length, and what is counted. */
const LIMITS = wordSet(`
  under below most more max maximum less fewer longer over exceed within
  unter hochstens maximal weniger mehr langer uber moins plus maximum menos mas maximo mais ate meno piu
  massimo mindre maks maksimalt hogst hojst hoyst mer onder maximaal minder hooguit meer`);
const COUNTED = wordSet(`
  character characters chars word words sentence sentences line lines paragraph paragraphs
  zeichen wort worte worter wortern satz satze satzen zeile zeilen absatz absatze
  caracteres caractere mot mots phrase phrases ligne lignes palabra palabras frase frases linea lineas palavra
  palavras linha linhas carattere caratteri parola parole frasi riga righe tegn tecken ord setning setninger
  linjer teken tekens woord woorden zin zinnen regels`);

/** How far from a clause's start a verb or a text's name stands in an order. */
const NEAR = 4;
const isIn = (words: string[], set: ReadonlySet<string>) => words.some((word) => set.has(word));

/** Whether a clause only tells its writer how to write, or what not to say. */
function isOrder(clause: string): boolean {
  const all = foldWords(clause.replace(QUOTED, ' ').replace(/['’]t\b/g, 't')).split(' ');
  const first = all.findIndex((word) => !PLEASE.has(word));
  const words = all.slice(Math.max(first, 0));
  const start = words.slice(0, NEAR);
  const isAsked = /\b(?:please|bitte|svp)\b/i.test(clause) && all.length <= 2 * NEAR;
  return (
    isForbidding(words) ||
    isLimiting(words) ||
    (isIn(words, OF_TEXTS) && (TELLS.has(words[0] ?? '') || isAsked)) ||
    (isIn(start.slice(0, NEAR - 1), OF_TEXTS) && isIn(start, MODALS))
  );
}

/** `Do not mention prices`, `Bitte keine Preise nennen`, `Nenne keine Preise`. */
function isForbidding(words: string[]): boolean {
  const start = words.slice(0, NEAR);
  const isVerb = SAYS.has(words[0] ?? '') && isIn(words, NOT);
  const isNot = NOT.has(words[0] ?? '') || (words[0] === 'do' && isIn(start, NOT));
  return isVerb || (isNot && isIn(words, SAYS)) || (isNot && isIn(words, OF_TEXTS));
}

/** `Under 200 characters`, `höchstens drei Sätze`. */
function isLimiting(words: string[]): boolean {
  const counted = words.findIndex((word) => COUNTED.has(word));
  const before = words.slice(Math.max(counted - NEAR, 0), Math.max(counted, 0));
  return isIn(before, LIMITS) || (isIn(words.slice(counted), LIMITS) && /\d/.test(before.join()));
}

/** Clauses that each may be an order. */
const clausesOf = (text: string) =>
  text.split(
    /(?<=[.!?;])(?<!\bmax\.)\s+|\n+|\s(?=(?:and|und|et)\s(?:mention|say|nenne|mentionne)\s)/iu,
  );

const QUOTED = /["“„«»][^"“”„«»]{1,300}["“”«»]/gu;

/**
 * The part of a context's value that a page must show: without orders to its writer, such as `keep
 * the lead under 200 characters` or `do not mention prices`. What an order quotes, and the facts
 * that it gives, stay.
 */
export function withoutOrders(text: string): string {
  const left = clausesOf(text).map((clause) => (isOrder(clause) ? contentOf(clause) : clause));
  return left.filter((clause) => clause.trim() !== '').join(' ');
}

function contentOf(clause: string): string {
  const words = foldWords(clause).split(' ');
  if (isForbidding(words.filter((word) => !PLEASE.has(word)))) return '';
  const quoted = [...clause.matchAll(QUOTED)].map(([words]) => words);
  const facts = factsOf(textSlot(clause)).map(({ text }) => text);
  return [...quoted, ...facts].join(' ');
}
