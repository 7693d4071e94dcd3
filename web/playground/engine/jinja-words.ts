// Lists the words of the template language that the editor completes. A test compares them with the core.

/** Words that start a block. */
export const tags = [
  'if',
  'elif',
  'else',
  'endif',
  'for',
  'endfor',
  'set',
  'endset',
  'macro',
  'endmacro',
  'call',
  'endcall',
  'filter',
  'endfilter',
  'with',
  'endwith',
  'raw',
  'endraw',
  'block',
  'endblock',
  'autoescape',
  'endautoescape',
  'print',
];

export const filters =
  'abs attr batch capitalize center count d default dictsort e escape filesizeformat first float forceescape format groupby indent int items join last length list lower map max min pprint random reject rejectattr replace reverse round safe select selectattr slice sort string striptags sum title tojson trim truncate unique upper urlencode urlize wordcount wordwrap xmlattr'.split(
    ' ',
  );

export const tests =
  'boolean callable defined divisibleby eq escaped even false filter float ge gt in integer iterable le lower lt mapping ne none number odd sameas sequence string test true undefined upper'.split(
    ' ',
  );

export const functions = [
  'cycler',
  'dict',
  'joiner',
  'lipsum',
  'namespace',
  'raise_exception',
  'range',
  'strftime_now',
];

/** Words inside expressions and blocks. */
export const keywords = [
  'and',
  'or',
  'not',
  'in',
  'is',
  'if',
  'else',
  'recursive',
  'ignore',
  'missing',
];

/** Constants, in both spellings that Jinja takes. */
export const constants = ['true', 'false', 'none', 'True', 'False', 'None'];
