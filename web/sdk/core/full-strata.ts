// Implements `Strata`: one instance of the whole core.
import { jsonPart, optionsPart, valuePart } from '../internal/json-input.js';
import * as must from '../internal/options.js';
import { compilePrompt, splitPrompt } from './compile.js';
import { FullThread } from './full-thread.js';
import { OpenStrata } from './strata.js';
import { CompiledTemplate } from './template.js';
import type { CachePlan, CacheRequest, ManifestDiff, Manifest } from '../types/manifest.js';
import type { CompiledPrompt, PromptManifest } from '../types/compiled-prompt.js';
import type { Span } from '../types/diagnostic.js';
import type { JsonInput } from '../types/json.js';
import type { LocateOptions, RepairOptions, Repaired } from '../types/lint.js';
import type { ArgumentSources, BuiltArguments } from '../types/prompt-arguments.js';
import type { PromptInput } from '../types/prompt-input.js';
import type { FittedSchema, SchemaOptions } from '../types/schema.js';
import type { Strata } from '../types/strata.js';
import type { Template, TemplateOptions } from '../types/template.js';
import type { Thread, ThreadOptions } from '../types/thread.js';
import type { BodyTimelineOptions, Timeline } from '../types/timeline.js';

/** Implements `Strata`. */
export class FullStrata extends OpenStrata implements Strata {
  override thread(options: ThreadOptions): Thread & FullThread {
    return FullThread.open(this.instance, options);
  }

  repair(body: JsonInput, options: RepairOptions): Repaired {
    const { core } = this.instance;
    return this.check(body, options, () => core.repair());
  }

  timeline(body: JsonInput, options: BodyTimelineOptions): Timeline {
    const { core } = this.instance;
    const parts = this.bodyParts(body, options);
    return this.instance.call<Timeline>(parts, () => core.timeline()).document;
  }

  schema(jsonSchema: JsonInput, options: SchemaOptions): FittedSchema {
    const { core } = this.instance;
    const parts = [jsonPart(jsonSchema), optionsPart(options)];
    return this.instance.call<FittedSchema>(parts, () => core.schema()).document;
  }

  locate(
    text: string | Uint8Array,
    pointers: readonly string[],
    options: LocateOptions = {},
  ): Span[] {
    const { core } = this.instance;
    const parts = [text, valuePart(pointers), optionsPart(options)];
    const { document } = this.instance.call<{ places: [number, number][] }>(parts, () =>
      core.locate(),
    );
    return document.places.map(([start, end]) => ({ start, end }));
  }

  template(source: string, options: TemplateOptions = {}): Template {
    must.string(source, '/source');
    return CompiledTemplate.compile(this.instance, source, options);
  }

  planCache(request: CacheRequest): CachePlan {
    const { core } = this.instance;
    return this.instance.call<CachePlan>([optionsPart(request)], () => core.planCache()).document;
  }

  compile(input: PromptInput): CompiledPrompt & Disposable {
    return compilePrompt(this.instance, input);
  }

  splitPrompt(full: string): { stable: string; dynamic: string } | null {
    return splitPrompt(this.instance, full);
  }

  promptArguments(sources: ArgumentSources): BuiltArguments {
    const { core } = this.instance;
    const action = () => core.promptArguments();
    return this.instance.call<BuiltArguments>([jsonPart(sources)], action).document;
  }

  diffManifests(a: Manifest | PromptManifest, b: Manifest | PromptManifest): ManifestDiff {
    const { core } = this.instance;
    const parts = [optionsPart(a), optionsPart(b)];
    return this.instance.call<ManifestDiff>(parts, () => core.diffManifests()).document;
  }

  fingerprint(text: string | Uint8Array): string {
    const { core } = this.instance;
    const { document } = this.instance.call<{ fingerprint: string }>([text], () =>
      core.fingerprint(),
    );
    return document.fingerprint;
  }
}
