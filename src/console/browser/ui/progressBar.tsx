interface ProgressBarProps {
  percent: number;
  /** The bar is drawn with at least this percentage. */
  least: number;
  /** The progress in words, for screen readers. Default: the percentage. */
  words?: string;
}

export const ProgressBar = ({ percent, least, words }: ProgressBarProps) => (
  <div
    class="bar"
    role="progressbar"
    aria-label="Progress"
    aria-valuenow={percent}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuetext={words}
  >
    <i style={{ width: `${Math.max(percent, least)}%` }} />
  </div>
);
