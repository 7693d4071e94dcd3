// Type-aware lint for what ships, plain lint for scripts and tests.
import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const noEval = { 'no-eval': 'error', 'no-implied-eval': 'error', 'no-new-func': 'error' };

// Without the option a decoder silently drops a leading U+FEFF, which may be part of a text.
const noBareDecoder = {
  'no-restricted-syntax': [
    'error',
    {
      selector:
        'NewExpression[callee.name=/^TextDecoder/]:not(:has(Property[key.name="ignoreBOM"]))',
      message: 'Use decodeUtf8 of web/sdk/base/utf8.ts, or say with ignoreBOM what a leading U+FEFF is.',
    },
  ],
};

export default tseslint.config(
  // ESLint cannot parse `import source`.
  { ignores: ['build/', 'dist/', 'web/sdk/core/wasm/deno.js', '**/.wrangler/', 'tests/cases/'] },
  js.configs.recommended,
  {
    files: ['web/**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      ...noEval,
      'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
      'no-restricted-globals': ['error', 'process', 'Buffer', 'require', 'global'],
      // What JSON.parse gives is `any` until it is looked at; `any` in a signature stays an error.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      // An AbortSignal's reason may be anything, and is passed on as it is.
      '@typescript-eslint/prefer-promise-reject-errors': [
        'error',
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      // An async function without await is how a value becomes a promise that an interface asks for.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['web/**/*.ts'],
    ignores: ['web/worker/**', 'web/playground/**'],
    rules: noBareDecoder,
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    rules: noEval,
  },
);
