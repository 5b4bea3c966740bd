import { type ComponentChildren, createContext, type RefObject } from 'preact';
import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { listen } from '../listen.ts';
import { Button, OutsideLink, Toggle } from './controls.tsx';
import { useTyping } from './useTyping.ts';
import { createStore, useStore } from '../store.ts';

/** The device whose window width pages are shown with. */
type DeviceWidth = 'desktop' | 'phone';
const deviceWidths: Record<DeviceWidth, number> = { desktop: 1440, phone: 390 };

/** Narrower windows, in CSS pixels, are phones, as in the styles. */
const PHONE_PX = 720;

/** The width that fits the device of the person who looks. */
export const ownDeviceWidth = (): DeviceWidth => (innerWidth < PHONE_PX ? 'phone' : 'desktop');

const noWidth = { width: 'desktop' as DeviceWidth, set: (_: DeviceWidth): void => undefined };
const WidthContext = createContext(noWidth);

/** Gives all frames inside it the same width, which a `WidthToggle` inside it changes. */
export function SharedWidth({ first = 'desktop', children }: SharedWidthProps) {
  const [width, set] = useState<DeviceWidth>(first);
  return <WidthContext.Provider value={{ width, set }}>{children}</WidthContext.Provider>;
}

interface SharedWidthProps {
  first?: DeviceWidth;
  children: ComponentChildren;
}

/** Lets a person choose the width of all frames in the same `SharedWidth`. */
export function WidthToggle() {
  const { width, set } = useContext(WidthContext);
  return (
    <Toggle
      label="Width of the pages"
      value={width}
      onChange={set}
      choices={[
        ['desktop', 'Desktop', 'desktop'],
        ['phone', 'Phone', 'phone'],
      ]}
    />
  );
}

/**
 * A key for the frames of a page. It changes when somebody returns from editing the page in another
 * tab, so that the frames load again.
 */
export function useEdits(): { edits: number; onEdit: () => void } {
  const [edits, setEdits] = useState(0);
  const isEdited = useRef(false);
  useEffect(() => {
    const comeBack = () =>
      isEdited.current && !document.hidden && setEdits((editCount) => editCount + 1);
    return listen(['visibilitychange'], comeBack);
  }, []);
  return { edits, onEdit: () => void (isEdited.current = true) };
}

interface FrameProps {
  caption: string;
  /** null if there is no such page. */
  url: string | null;
  nothing?: string;
}

/**
 * A customer's page, scaled down. It has an opaque origin, so it can't reach the console. Its
 * scripts run only after somebody starts them.
 */
export function PageFrame({ caption, url, nothing = 'There is no page to show.' }: FrameProps) {
  const { width } = useContext(WidthContext);
  const paneRef = useRef<HTMLElement>(null);
  const isTyping = useTyping();
  const scripts = useScripts(paneRef, isTyping);
  const { view: viewRef, style } = useScale(deviceWidths[width]);
  const isElsewhere = useIsElsewhere(url);
  const unseenNotice = isTyping
    ? 'The page is hidden while you type or a dialog is open.'
    : elsewhereNotice;
  return (
    <figure ref={paneRef} class={scripts.areRunning ? 'pane running' : 'pane'}>
      <figcaption>
        <span class="wrap">{caption}</span>
        {url && !isElsewhere && <ScriptsButton caption={caption} scripts={scripts} />}
        {url && <OutsideLink href={url}>Open</OutsideLink>}
      </figcaption>
      <div ref={viewRef} class={`view ${width}`}>
        {url && !isTyping && !isElsewhere ? (
          style && (
            <iframe
              // A new permission to run scripts only applies to a new frame.
              key={scripts.areRunning}
              title={caption}
              src={url}
              sandbox={scripts.areRunning ? 'allow-scripts' : ''}
              loading="lazy"
              referrerpolicy="no-referrer"
              style={style}
            />
          )
        ) : (
          <p class="nothing">{url ? unseenNotice : nothing}</p>
        )}
      </div>
    </figure>
  );
}

/**
 * A page of the service's own editor, scrolled to one of its texts. Only the service's script runs
 * in it, so it can be shown in a dialog.
 */
export function CropFrame({ caption, url }: { caption: string; url: string }) {
  const { width } = useContext(WidthContext);
  const { view: viewRef, style } = useScale(deviceWidths[width]);
  return (
    <figure class="pane">
      <figcaption>{caption}</figcaption>
      <div ref={viewRef} class={`view ${width}`}>
        {style && (
          <iframe
            title={caption}
            src={url}
            sandbox="allow-scripts"
            referrerpolicy="no-referrer"
            style={style}
          />
        )}
      </div>
    </figure>
  );
}

const elsewhereNotice =
  'The page is on another host, so it is not shown here. Choose “Open” to see it in a new tab.';

/**
 * Whether the console's content security policy forbids to show a page in a frame. It forbids pages
 * of another host, such as the results from before the site changed its host.
 */
function useIsElsewhere(url: string | null): boolean {
  const [refused, setRefused] = useState<string[]>([]);
  useEffect(
    () =>
      listen(['securitypolicyviolation'], (event) => {
        const { effectiveDirective, blockedURI } = event as SecurityPolicyViolationEvent;
        const origin = urlOrigin(blockedURI);
        if (effectiveDirective === 'frame-src' && origin !== undefined)
          setRefused((originsBefore) => [...originsBefore, origin]);
      }),
    [],
  );
  const origin = urlOrigin(url);
  return origin !== undefined && refused.includes(origin);
}

const urlOrigin = (url: string | null) => URL.parse(url ?? '')?.origin;

/**
 * Links to a page at an external host. The console's content security policy allows only frames
 * with this service's pages, and the external host may forbid frames itself.
 */
export const PreviewElsewhere = ({
  caption,
  url,
  nothing = 'There is no preview, because the site’s host did not show one in time.',
}: FrameProps) => (
  <figure class="pane">
    <figcaption>{caption}</figcaption>
    <p class="wrap">
      {url ? (
        <>
          <OutsideLink href={url}>{url}</OutsideLink>
          <br />
          <span class="muted small">
            The page opens in a new tab, because pages on other hosts are not shown here.
          </span>
        </>
      ) : (
        nothing
      )}
    </p>
  </figure>
);

function ScriptsButton({ caption, scripts }: { caption: string; scripts: FrameScripts }) {
  const { areRunning, run, stop } = scripts;
  const buttonText = areRunning ? 'Stop scripts' : 'Run scripts';
  return (
    <span class="scripts">
      <span class={areRunning ? 'tag warn' : 'small'}>
        {areRunning ? 'Scripts run' : 'Scripts are off'}
      </span>
      <Button
        little
        look="ghost"
        label={`${buttonText}: ${caption}`}
        onClick={areRunning ? stop : run}
      >
        {buttonText}
      </Button>
    </span>
  );
}

/**
 * The style that scales a frame to the width of its view; undefined until the view is drawn.
 * @param frameWidth the frame's own width in CSS pixels
 */
function useScale(frameWidth: number) {
  const viewRef = useRef<HTMLDivElement>(null);
  const [viewSize, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const { current } = viewRef;
    if (!current) return undefined;
    const measure = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const scale = Math.min(1, viewSize.width / frameWidth);
  const style = {
    width: `${frameWidth}px`,
    height: `${Math.ceil(viewSize.height / (scale || 1))}px`,
    left: `${Math.max(0, (viewSize.width - frameWidth * scale) / 2)}px`,
    transform: `scale(${scale})`,
  };
  return { view: viewRef, style: viewSize.width > 0 ? style : undefined };
}

/** Id of the preview whose scripts run. Scripts run in one preview at a time, at first in none. */
const scriptedFrame = createStore<string | undefined>(undefined);
const stopScripts = () => scriptedFrame.set(undefined);

interface FrameScripts {
  areRunning: boolean;
  run: () => void;
  stop: () => void;
}

/**
 * Whether the scripts of a customer's page run. Such a page can take the focus at any time. So its
 * scripts stop when the focus or the pointer goes elsewhere in the console, or somebody types
 * there.
 * @param paneRef the element with the page's frame and its buttons
 */
function useScripts(paneRef: RefObject<HTMLElement | null>, isTyping: boolean): FrameScripts {
  const frameId = useId();
  const areRunning = useStore(scriptedFrame) === frameId && !isTyping;
  useLayoutEffect(() => (areRunning ? stopElsewhere(paneRef) : undefined), [areRunning]);
  const stopOwnScripts = () => void (scriptedFrame.get() === frameId && stopScripts());
  useLayoutEffect(() => (isTyping ? stopOwnScripts() : stopOwnScripts), [isTyping]);
  return { areRunning, run: () => scriptedFrame.set(frameId), stop: stopScripts };
}

/** @returns a function that stops listening */
function stopElsewhere({ current: pane }: RefObject<HTMLElement | null>): () => void {
  const onEvent = ({ target }: Event) => {
    if (!(target instanceof Node && pane?.contains(target))) stopScripts();
  };
  return listen(['focusin', 'pointerdown'], onEvent, { capture: true });
}
