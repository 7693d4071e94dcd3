// Provides the package's own templates, which an empty template stands for.
import dynamicSource from '../../../templates/gemini_dynamic_prompt.j2?raw';
import staticSource from '../../../templates/gemini_static_prompt.j2?raw';

/** The sources of the package's templates. */
export const defaultTemplates = { static: staticSource, dynamic: dynamicSource };
