// Defines how enums of the API are typed: the known names, and any other string.

/**
 * An enum of the API. Editors suggest the known names; any other string is allowed, because the API adds names at
 * any time.
 */
export type OpenEnum<Known extends string> = Known | (string & {});
