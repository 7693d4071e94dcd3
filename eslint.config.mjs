// Configures ESLint: type-aware rules for web/, plain rules for scripts and tests.
import js from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const noEval = { 'no-eval': 'error', 'no-implied-eval': 'error', 'no-new-func': 'error' };

// By default, TextDecoder drops a leading U+FEFF, which may be part of the text.
const noBareDecoder = {
  'no-restricted-syntax': [
    'error',
    {
      selector:
        'NewExpression[callee.name=/^TextDecoder/]:not(:has(Property[key.name="ignoreBOM"]))',
      message: 'Use decodeUtf8 of web/sdk/internal/utf8.ts, or set ignoreBOM explicitly.',
    },
  ],
};

export default tseslint.config(
  // ESLint cannot parse `import source`.
  { ignores: ['build/', 'dist/', 'web/sdk/core/wasm/deno.js', '**/.wrangler/', 'tests/cases/'] },
  js.configs.recommended,
  {
    files: ['web/**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json' } },
    rules: {
      ...noEval,
      ...noBareDecoder,
      'max-lines-per-function': ['error', { max: 60, skipComments: true, skipBlankLines: true }],
      'no-restricted-globals': ['error', 'process', 'Buffer', 'require', 'global'],
      // JSON.parse returns `any`. An explicit `any` in a signature is still an error.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      // The reason of an AbortSignal may be any value and is rethrown unchanged.
      '@typescript-eslint/prefer-promise-reject-errors': [
        'error',
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      // Async functions without await implement interfaces that return promises.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    rules: noEval,
  },
);
