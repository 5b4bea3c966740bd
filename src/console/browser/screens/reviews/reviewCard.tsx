import { countNoun } from '../../../../browser/counts.ts';
import type { PageReview, ReviewPlace } from '../../../../contract/responses.ts';
import type { PageMark, ReviewVerdict } from '../../../../contract/reviews/reviewKinds.ts';
import { Button, ButtonLink } from '../../ui/controls.tsx';
import { oddityWords, placeName, placeNames } from '../../words/reviewWords.ts';
import { creatorName } from '../../words/taskWords.ts';

/** Texts of a card. The others are in the enlarged view. */
const SHOWN_TEXTS = 5;

export interface PageCardProps {
  id: string;
  page: PageReview;
  places: Map<string, ReviewPlace>;
  verdict: ReviewVerdict;
  canLeaveOut: boolean;
  onMark: (mark: PageMark) => Promise<void>;
  onEnlarge: () => void;
}

/** A page under review: what is odd about it, and its texts that differ from the template. */
export function ReviewPageCard({ id, page, places, verdict, ...props }: PageCardProps) {
  const { slug, oddities, texts, openNotes, editUrl } = page;
  const oddPlaces = new Set(oddities.map(({ placeId }) => placeId));
  const oddTexts = texts.filter(({ placeId }) => oddPlaces.has(placeId));
  const shownTexts = [...oddTexts, ...texts.filter(({ placeId }) => !oddPlaces.has(placeId))].slice(
    0,
    Math.max(SHOWN_TEXTS, oddTexts.length),
  );
  const more = texts.length - shownTexts.length;
  return (
    <li id={id} tabIndex={-1} class={`review-card is-${verdict}`} aria-label={slug}>
      <div class="row spread">
        <h3 class="wrap">{slug}</h3>
        <span class="row">
          <VerdictTag page={page} verdict={verdict} />
          {openNotes > 0 && <span class="tag warn">{countNoun(openNotes, 'note')}</span>}
        </span>
      </div>
      <OddityList oddities={oddities} places={places} />
      <dl>
        {shownTexts.map(({ placeId, text }) => (
          <div key={placeId} class={oddPlaces.has(placeId) ? 'odd' : ''}>
            <dt>{placeName(places.get(placeId)!)}</dt>
            <dd>{text ?? <span class="muted">Removed</span>}</dd>
          </div>
        ))}
      </dl>
      <div class="row">
        <MarkButtons {...props} what={slug} verdict={verdict} />
        {editUrl && (
          <ButtonLink little href={editUrl} label={`Edit: ${slug}`}>
            Edit
          </ButtonLink>
        )}
        <Button little label={`Enlarge: ${slug}`} onClick={props.onEnlarge}>
          Enlarge
        </Button>
        {more > 0 && <span class="muted small">{countNoun(more, 'more text')}</span>}
      </div>
    </li>
  );
}

/** Why to look at a page. Several oddities of the same kind are said once. */
export function OddityList({
  oddities,
  places,
}: Pick<PageReview, 'oddities'> & Pick<PageCardProps, 'places'>) {
  const sentences = new Set(
    oddities.map((oddity) => oddityWords(oddity, places.get(oddity.placeId ?? ''))),
  );
  if (sentences.size === 0) return null;
  return (
    <ul class="oddities" aria-label="Why to look">
      {[...sentences].map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** What people said about the current version of a page, and who. */
function VerdictTag({ page: { marks }, verdict }: Pick<PageCardProps, 'page' | 'verdict'>) {
  if (verdict === 'unseen')
    return marks.length > 0 ? <span class="tag">Changed since it was marked</span> : null;
  const names = marks
    .filter(({ mark, isOutdated }) => mark === verdict && !isOutdated)
    .map(({ by, guestName }) => guestName ?? creatorName(by))
    .filter(Boolean);
  return (
    <span class={verdict === 'fine' ? 'tag good' : 'tag bad'}>
      {[verdict === 'fine' ? 'Fine' : 'Left out', ...new Set(names)].join(' · ')}
    </span>
  );
}

interface MarkButtonsProps extends Pick<PageCardProps, 'verdict' | 'canLeaveOut' | 'onMark'> {
  what: string;
}

const MarkButtons = ({ what, verdict, canLeaveOut, onMark }: MarkButtonsProps) => (
  <>
    <Button
      little
      look={verdict === 'fine' ? '' : 'primary'}
      label={`${verdict === 'fine' ? 'Undo fine' : 'Fine'}: ${what}`}
      onClick={() => onMark('fine')}
    >
      {verdict === 'fine' ? 'Undo fine' : 'Fine'}
    </Button>
    {canLeaveOut && (
      <Button
        little
        label={`${verdict === 'left-out' ? 'Put back' : 'Leave out'}: ${what}`}
        onClick={() => onMark('left-out')}
      >
        {verdict === 'left-out' ? 'Put back' : 'Leave out'}
      </Button>
    )}
  </>
);

interface AlikeCardProps {
  id: string;
  pages: PageReview[];
  /** The places at which the pages differ. */
  places: ReviewPlace[];
  fineCount: number;
  isUnfolded: boolean;
  onFine: () => Promise<void>;
  onUnfold: () => void;
}

const EXAMPLES = 3;

/** Pages that are alike: they differ from the template at the same places, and none is odd. */
export function AlikeCard({ id, pages, places, fineCount, isUnfolded, ...props }: AlikeCardProps) {
  const isFine = fineCount === pages.length;
  const label = `${pages.length} pages that are alike`;
  return (
    <li
      id={id}
      tabIndex={-1}
      class={isFine ? 'review-card alike is-fine' : 'review-card alike'}
      aria-label={label}
    >
      <div class="row spread">
        <h3>{label}</h3>
        {fineCount > 0 && (
          <span class="tag good">
            {isFine ? 'All fine' : `${fineCount} of ${pages.length} fine`}
          </span>
        )}
      </div>
      <p>They differ from the template only in {placeNames(places)}.</p>
      <dl>
        {pages.slice(0, EXAMPLES).map(({ slug, texts }) => (
          <div key={slug}>
            <dt class="wrap">{slug}</dt>
            <dd>
              {texts
                .slice(0, EXAMPLES)
                .map(({ text }) => text)
                .filter(Boolean)
                .join(' · ')}
            </dd>
          </div>
        ))}
      </dl>
      <div class="row">
        <Button little look={isFine ? '' : 'primary'} onClick={props.onFine}>
          {isFine ? 'Undo fine' : `All ${pages.length} are fine`}
        </Button>
        <Button little onClick={props.onUnfold}>
          {isUnfolded ? 'Fold them' : `Show all ${pages.length}`}
        </Button>
      </div>
    </li>
  );
}
