// Names the types of codes. The build makes them from src/catalogue/rules.json and src/catalogue/errors.json.
export type { DiagnosticCode, ErrorCode, RuleCode } from '#generated/codes';
