import { useState } from 'preact/hooks';
import { hostPath } from '../../../../browser/hostPath.ts';
import { Modal } from '../../../../browser/modal.tsx';
import { queryString } from '../../../../browser/sendRequest.ts';
import type { PageReview, ReviewPlace } from '../../../../contract/responses.ts';
import type { ReviewVerdict } from '../../../../contract/reviews/reviewKinds.ts';
import { Button, ButtonLink } from '../../ui/controls.tsx';
import { CropFrame, WidthToggle } from '../../ui/pageFrame.tsx';
import { placeName } from '../../words/reviewWords.ts';
import { OddityList } from './reviewCard.tsx';

interface EnlargedPageProps {
  /** The id of the task or batch. */
  taskId: string;
  page: PageReview;
  places: Map<string, ReviewPlace>;
  verdict: ReviewVerdict;
  onFine: () => void;
  onMove: (step: 1 | -1) => void;
  onClose: () => void;
}

/** A page beside its template, both scrolled to the text that was chosen. */
export const EnlargedPage = (props: EnlargedPageProps) => (
  <Modal wide title={props.page.slug} onClose={props.onClose}>
    <EnlargedContent key={props.page.slug} {...props} />
  </Modal>
);

function EnlargedContent({ page, places, ...props }: EnlargedPageProps) {
  const { slug, version, texts, oddities, templatePageSlug, editUrl } = page;
  const isOnPage = ({ placeId }: { placeId?: string }) =>
    placeId !== undefined && !unseenRoles.has(places.get(placeId)?.role ?? '');
  const isHeadline = ({ placeId }: { placeId: string }) => places.get(placeId)?.level === 1;
  const firstPlace = (
    oddities.find(isOnPage) ??
    texts.find(isHeadline) ??
    texts.find(isOnPage) ??
    texts[0]
  )?.placeId;
  const [chosenPlace, choosePlace] = useState<string>();
  const placeId = chosenPlace ?? firstPlace;
  const place = places.get(placeId ?? '');
  const slot = texts.find((text) => text.placeId === placeId)?.slot ?? undefined;
  const cropUrl = (of: 'page' | 'template', slotId: string | undefined) =>
    hostPath`/edit/${props.taskId}/.crop`.toString() + queryString({ slug, of, slot: slotId });
  return (
    // It has the focus at first, so that the space bar closes it and presses no button.
    <div class="enlarged" data-review tabIndex={-1} autofocus>
      <OddityList oddities={oddities} places={places} />
      <div class="row spread">
        <div class="row">
          <Button little onClick={() => props.onMove(-1)}>
            Previous
          </Button>
          <Button little onClick={() => props.onMove(1)}>
            Next
          </Button>
          <Button little look="primary" onClick={props.onFine}>
            {props.verdict === 'fine' ? 'Undo fine' : 'Fine'}
          </Button>
          {editUrl && (
            <ButtonLink little href={editUrl}>
              Edit
            </ButtonLink>
          )}
        </div>
        <WidthToggle />
      </div>
      <ul class="differences" aria-label="Texts that differ">
        {texts.map((text) => (
          <li key={text.placeId}>
            <button
              type="button"
              aria-pressed={text.placeId === placeId}
              onClick={() => choosePlace(text.placeId)}
            >
              <span class="muted small">{placeName(places.get(text.placeId)!)}</span>
              <span>
                {places.get(text.placeId)?.text && <del>{places.get(text.placeId)?.text}</del>}{' '}
                <ins>{text.text}</ins>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div class={templatePageSlug === null ? 'panes single' : 'panes'}>
        <CropFrame key={version} caption="Page" url={cropUrl('page', slot)} />
        {templatePageSlug !== null && (
          <CropFrame
            caption={templatePageSlug === slug ? 'Before' : `Template: ${templatePageSlug}`}
            url={cropUrl('template', place?.slot ?? undefined)}
          />
        )}
      </div>
      <div class="actions">
        <Button onClick={props.onClose}>Done</Button>
      </div>
    </div>
  );
}

/** Roles of texts that are in the head or the data of a page, not on the page itself. */
const unseenRoles = new Set([
  'title',
  'description',
  'social-title',
  'social-description',
  'structured-data',
]);
