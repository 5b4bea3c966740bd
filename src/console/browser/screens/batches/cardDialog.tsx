import { hostPath } from '../../../../browser/hostPath.ts';
import { Modal } from '../../../../browser/modal.tsx';
import { queryString } from '../../../../browser/sendRequest.ts';
import { Button } from '../../ui/controls.tsx';
import { CropFrame, ownDeviceWidth, SharedWidth, WidthToggle } from '../../ui/pageFrame.tsx';

interface CardDialogProps {
  batchId: string;
  /** The new page that the card leads to. */
  slug: string;
  /** The page with the card. */
  linkFrom: string;
  close: () => void;
}

/** Shows the card of a new page, on the page that links to the new pages. */
export const CardDialog = ({ batchId, slug, linkFrom, close }: CardDialogProps) => (
  <Modal wide title={`The card of ${slug}`} onClose={close}>
    <SharedWidth first={ownDeviceWidth()}>
      <div class="row spread">
        <Button onClick={close}>Done</Button>
        <WidthToggle />
      </div>
      <div class="panes single">
        <CropFrame
          caption={linkFrom}
          url={
            hostPath`/edit/${batchId}/.crop`.toString() +
            queryString({ slug: linkFrom, card: slug })
          }
        />
      </div>
    </SharedWidth>
  </Modal>
);
