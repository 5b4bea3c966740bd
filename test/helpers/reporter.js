import mocha from 'mocha';

/** Mocha's own report, and one closing line that says the same for every language: `N passed, N failed`. */
export default class Reporter extends mocha.reporters.Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    console.log(`${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}`);
  }
}
