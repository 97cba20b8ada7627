/** Files hold personal data: none stays for longer than a day, no report for longer than a month. */
export abstract class ImportRetention {
  /** Removes uploads that broke off, fails imports that a day did not suffice for, forgets old reports. */
  abstract letGoAcrossAccounts(now: Date): Promise<void>;
}
