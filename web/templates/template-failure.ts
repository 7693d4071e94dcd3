// Writes a template's error for the module talk, which reports it.
import type { TemplateError } from '../sdk/internal/errors.js';

/** Returns what `LayerTemplate.renderLayer` returns after an error. */
export function failureOf(error: TemplateError): { ok: false; bytes: Uint8Array } {
  const { code, kind, message, template, line, column, offset, excerpt } = error;
  const templateError = { code, kind, message, template, line, column, offset, excerpt };
  return { ok: false, bytes: new TextEncoder().encode(JSON.stringify({ templateError })) };
}
