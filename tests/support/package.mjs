// The built package as one object: the names of most entries, and the others by the name of their entry.
import * as strata from 'prompt-strata';
import * as check from 'prompt-strata/check';
import * as gateway from 'prompt-strata/gateway';
import * as remote from 'prompt-strata/remote';
import * as stores from 'prompt-strata/stores';
import * as templates from 'prompt-strata/templates';
import * as testing from 'prompt-strata/testing';

export const pkg = { ...strata, ...stores, ...testing, check, gateway, remote, templates };
