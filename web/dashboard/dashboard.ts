// Serves the files of the dashboard. They hold no counts: those are behind the admin key of `/metrics`.
import { securityHeaders } from '../gateway/headers.js';
import { files } from '#generated/dashboard-files';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headersOf = (type: string): Record<string, string> => ({
  ...securityHeaders,
  'content-type': `${type}; charset=utf-8`,
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
});

/**
 * Returns the response to a request for a file of the dashboard, undefined for any other request. Mount it beside a
 * gateway's `/metrics`, and only where there is an admin key.
 */
export function dashboardResponse({ method, url }: Request): Response | undefined {
  const { pathname } = new URL(url);
  const file = Object.hasOwn(files, pathname) ? files[pathname] : undefined;
  if (!file || (method !== 'GET' && method !== 'HEAD')) return undefined;
  return new Response(method === 'HEAD' ? null : file.text, { headers: headersOf(file.type) });
}
