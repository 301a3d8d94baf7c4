# Writes the specs of the packs of generic kernels: everything of their scoring comes with the call.
# In: `folder`, `alphabets`, and `cigar_alphabets`, those of which there are whole alignments too; as a script, cmake
# -Dfolder=DIR "-Dalphabets=dna;protein" -P generic_specs.cmake. Out: the files, in `generic_specs` and
# `generic_cigar_specs`.
set(gap_linear "{model: linear, extend: runtime}")
set(gap_affine "{model: affine, open: runtime, extend: runtime}")
set(score_match "{match: runtime, mismatch: runtime}")
set(score_matrix "{matrix: runtime}")
set(generic_specs "")
set(generic_cigar_specs "")

# generic_specs_of(LIST ALPHABET SUFFIX OUTPUT)
macro(generic_specs_of list alphabet suffix output)
  foreach(alignment global local semiglobal)
    foreach(gap linear affine)
      foreach(score match matrix)
        set(name "generic-${alphabet}-${alignment}-${gap}-${score}${suffix}")
        file(CONFIGURE OUTPUT "${folder}/${name}.yaml" CONTENT "version: 1
name: ${name}
alignment: ${alignment}
gap: ${gap_${gap}}
alphabet: ${alphabet}
score: ${score_${score}}
${output}")
        list(APPEND ${list} "${folder}/${name}.yaml")
      endforeach()
    endforeach()
  endforeach()
endmacro()

foreach(alphabet IN LISTS alphabets)
  generic_specs_of(generic_specs "${alphabet}" "" "")
endforeach()
foreach(alphabet IN LISTS cigar_alphabets)
  generic_specs_of(generic_cigar_specs "${alphabet}" -cigar "output: [score, end, begin, cigar]\n")
endforeach()
