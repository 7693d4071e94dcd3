// Defines the parts of Standard Schema and Standard JSON Schema (https://standardschema.dev) that this package uses,
// as that specification suggests, so that no package has to be installed for its types.

/** A schema of a validator library: zod 4.2 or newer, arktype, valibot through `@valibot/to-json-schema`, and others. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Converts the schema to JSON Schema. */
    readonly jsonSchema?:
      | { readonly input: (options: { readonly target: string }) => { [keyword: string]: unknown } }
      | undefined;
  };
}

/** The result of `validate`: the value, which the schema may have transformed, or what is wrong. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One mismatch. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
