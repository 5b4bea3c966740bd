/**
 * Skips the tests of a suite that follow a failed one: they are the steps of one path. `bail` of
 * Mocha would also end all other files of a parallel run.
 */
export function stopAfterFailure(): void {
  let hasFailed = false;
  beforeEach(function () {
    if (hasFailed) this.skip();
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.isFailed() ?? false;
  });
}
