// Keeps the claim on the open session, so that two tabs never change the same one.

/** Gives a session back. */
export type Release = () => void;

/** Claims a session for this tab. Returns undefined if another tab has it open. */
export type Claim = (id: string) => Promise<Release | undefined>;

/** Another tab has the session open, so it stays as it is. */
export class OpenElsewhereError extends Error {
  override name = 'OpenElsewhereError';
}

/** The session that this tab has claimed. A shared link takes no session away from it. */
export class SessionClaim {
  readonly #claim: Claim;
  #claimed: { id: string; release: Release } | undefined;

  constructor(claim: Claim) {
    this.#claim = claim;
  }

  /**
   * Calls `action` with a session that no other tab can open meanwhile.
   *
   * @throws OpenElsewhereError
   */
  async during<Result>(id: string, action: () => Promise<Result>): Promise<Result> {
    if (id === this.#claimed?.id) return action();
    const release = await this.#claim(id);
    if (!release)
      throw new OpenElsewhereError('This session is open in another tab. Change it there.');
    return action().finally(release);
  }

  /**
   * Claims a session and calls `show`. Then the one claimed before is given back; if `show` fails, it is kept. Returns
   * false if another tab has the session open.
   */
  async moveTo(id: string, show: () => Promise<void>): Promise<boolean> {
    const before = this.#claimed;
    if (id === before?.id) return show().then(() => true);
    const release = await this.#claim(id);
    if (!release) return false;
    try {
      await show();
    } catch (error) {
      release();
      throw error;
    }
    before?.release();
    this.#claimed = { id, release };
    return true;
  }
}
