// Asks the gateway for its counts.

/** What came of asking for the counts. */
export type Reading =
  | { outcome: 'counts'; text: string }
  | { outcome: 'wrongKey' }
  /** The gateway answered, but not with counts. */
  | { outcome: 'refused'; status: number }
  | { outcome: 'offline' };

// A key with other characters cannot be sent as a header, so no gateway has it.
const keyForm = /^[\x21-\x7e]+$/;

/** Reads `/metrics` beside this page. The key travels as a header, never in the URL. */
export async function readCounts(key: string, signal: AbortSignal): Promise<Reading> {
  if (!keyForm.test(key)) return { outcome: 'wrongKey' };
  const headers = { authorization: `Bearer ${key}` };
  try {
    const init = { headers, cache: 'no-store', credentials: 'omit', redirect: 'error' } as const;
    const response = await fetch('./metrics', { ...init, signal });
    if (response.ok) return { outcome: 'counts', text: await response.text() };
    if (response.status === 401) return { outcome: 'wrongKey' };
    return { outcome: 'refused', status: response.status };
  } catch {
    return { outcome: 'offline' };
  }
}
